// `push`: what a store has after it, after a push that failed, and after the next one.
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Fault } from "../../worker/command-line/fault.js";
import { push } from "../../worker/data/store/push.js";
import { Cut, failAtEachCall, MemoryStore, SILENT } from "./memory-store.js";
import { makeVersion, smallVersion, writeVersion } from "./versions.js";

const NOW = () => new Date("2026-11-23T09:00:00.000Z");

/** A clock that goes on by 10 s at each look, so that a push saves its progress. */
function slowClock() {
  let time = Date.parse("2026-11-23T09:00:00.000Z");
  return () => new Date((time += 10_000));
}

const pushTo = (store, folder, options) => push(store, folder, SILENT, { now: NOW, ...options });
const zones = '{"type":"FeatureCollection","features":[]}';

/** Every text of the version is there, and `version:<id>` says what it is. */
function assertPublished(store, { manifest, texts }) {
  for (const [key, text] of texts) assert.equal(store.keys.get(key), text, key);
  const { pushedAt, ...published } = store.read(`version:${manifest.id}`);
  assert.deepEqual(published, manifest);
  assert.match(pushedAt, /^2026-11-23T/);
  assert.equal(store.keys.has(`pushing:${manifest.id}`), false);
}

test("uploads every text of a version: pushing first, version last", async (context) => {
  const version = await smallVersion(10, { zones, hasLists: true });
  const store = new MemoryStore();
  const result = await pushTo(store, await writeVersion(context, version));
  const { id } = version.manifest;
  assert.deepEqual(result, { id, wasPublished: false, uploaded: version.texts.size, there: 0 });
  assertPublished(store, version);
  const writes = store.calls.filter((call) => /^(put|delete)/.test(call));
  assert.equal(writes[0], `put pushing:${id}`);
  assert.deepEqual(writes.slice(-2), [`put version:${id}`, `delete pushing:${id}`]);
  // gc learns from these which shards a push needs.
  const kinds = writes.slice(1, -2).map((call) => call.slice(4).split(":")[0]);
  assert.deepEqual(kinds, ["branch", "branch", "layer", "layer", "shard", "shard", "shard", "zones"]);
});

test("who pushed and why stands in version:<id> alone", async (context) => {
  const version = await smallVersion(10);
  const store = new MemoryStore();
  await pushTo(store, await writeVersion(context, version), { by: "Ann", note: "new prices" });
  const { pushedBy, note } = store.read(`version:${version.manifest.id}`);
  assert.deepEqual([pushedBy, note], ["Ann", "new prices"]);
  assert.equal(store.keys.has("current"), false);
});

test("a folder of format 1 is pushed, too", async (context) => {
  for (const hasLists of [false, true]) {
    const version = await smallVersion(10, { format: 1, hasLists, zones });
    const store = new MemoryStore();
    await pushTo(store, await writeVersion(context, version));
    assertPublished(store, version);
  }
});

test("pushing:<id> holds the manifest, when the push began and how far it has come", async (context) => {
  const version = await smallVersion(10);
  const store = new MemoryStore();
  store.before = async (call) => {
    if (call.startsWith("put shard:")) throw new Cut();
  };
  await assert.rejects(pushTo(store, await writeVersion(context, version)), Cut);
  const { id } = version.manifest;
  const { size } = version.texts;
  assert.deepEqual(store.read(`pushing:${id}`), {
    ...version.manifest,
    startedAt: NOW().toISOString(),
    reliesOn: [],
    of: size,
    uploaded: 0,
  });
});

const use = (store, { manifest }) =>
  store.keys.set("current", JSON.stringify({ ...manifest, activatedAt: NOW().toISOString(), predecessors: [] }));

test("what the version in use names is not uploaded again", async (context) => {
  const base = await smallVersion(10, { zones });
  const branches = {
    1000: [
      [1, 2],
      [3, 5],
    ],
    2000: [[4]],
  };
  const next = await makeVersion({ branches, zones });
  const fresh = [...next.texts.keys()].filter((key) => !base.texts.has(key));
  for (const isUsed of [true, false]) {
    const store = new MemoryStore();
    await pushTo(store, await writeVersion(context, base));
    if (isUsed) use(store, base);
    const { uploaded, there } = await pushTo(store, await writeVersion(context, next));
    const { size } = next.texts;
    assert.deepEqual([uploaded, there], isUsed ? [fresh.length, size - fresh.length] : [size, 0]);
    assertPublished(store, next);
  }
});

test("a planned version whose time has come is what is in use", async (context) => {
  const [used, due] = await Promise.all([smallVersion(1), smallVersion(2)]);
  const store = new MemoryStore();
  for (const version of [used, due]) await pushTo(store, await writeVersion(context, version));
  use(store, used);
  const next = { id: due.manifest.id, at: NOW().toISOString() };
  store.keys.set("current", JSON.stringify({ ...store.read("current"), next }));
  const version = await smallVersion(2, { zones });
  assert.equal((await pushTo(store, await writeVersion(context, version))).uploaded, 1, "the zones");
});

test("a version built onto another has only its new texts in the folder", async (context) => {
  for (const hasLists of [false, true]) {
    const base = await smallVersion(10, { hasLists });
    const branches = { 1000: [[1, 2, 7], [3]], 2000: [[4], []] };
    const next = await makeVersion({ branches, hasLists, onto: base.manifest.id });
    const fresh = [...next.texts.keys()].filter((key) => !base.texts.has(key));
    const folder = await writeVersion(context, next, (key) => !base.texts.has(key));
    for (const isUsed of [true, false]) {
      const store = new MemoryStore();
      await pushTo(store, await writeVersion(context, base));
      if (isUsed) use(store, base);
      const { uploaded } = await pushTo(store, folder);
      assert.equal(uploaded, fresh.length);
      assertPublished(store, next);
    }
  }
});

test("onto a version that is in use, but whose version: key is gone", async (context) => {
  const base = await smallVersion(10);
  const next = await makeVersion({ branches: { 1000: [[1, 2, 7], [3]], 2000: [[4], []] }, onto: base.manifest.id });
  const store = new MemoryStore();
  await pushTo(store, await writeVersion(context, base));
  use(store, base);
  store.keys.delete(`version:${base.manifest.id}`);
  await pushTo(store, await writeVersion(context, next, (key) => !base.texts.has(key)));
  assertPublished(store, next);
});

test("a base that was deleted meanwhile: a Fault that counts what is missing, and no push is left under way", async (context) => {
  const base = await smallVersion(10);
  const next = await makeVersion({ branches: { 1000: [[1, 2, 7], [3]], 2000: [[4], []] }, onto: base.manifest.id });
  const folder = await writeVersion(context, next, (key) => !base.texts.has(key));
  const store = new MemoryStore();
  await assert.rejects(pushTo(store, folder), (error) => {
    assert.ok(error instanceof Fault);
    assert.match(
      error.message,
      /^cannot push [0-9a-f]+: 2 texts that it names \(layer:[0-9a-f]+\) are neither in .* nor in the store; its base [0-9a-f]+ may have been deleted by gc: build again$/,
    );
    return true;
  });
  assert.deepEqual([...store.keys.keys()], []);
});

test("a branch list that is missing in folder and store: a Fault", async (context) => {
  const version = await smallVersion(10, { hasLists: true });
  const folder = await writeVersion(context, version, (key) => !key.startsWith("branch:"));
  await assert.rejects(pushTo(new MemoryStore(), folder), Fault);
});

test("an altered file is refused and not uploaded", async (context) => {
  const version = await smallVersion(10, { zones, hasLists: true });
  for (const key of version.texts.keys()) {
    const folder = await writeVersion(context, version);
    await writeFile(join(folder, ...key.split(":")), "1 {}\n");
    const store = new MemoryStore();
    await assert.rejects(
      pushTo(store, folder),
      (error) => error instanceof Fault && /\/[0-9a-f]{32} is altered: build again$/.test(error.message),
    );
    assert.equal(store.keys.has(key), false);
    assert.equal(store.keys.has(`version:${version.manifest.id}`), false);
  }
});

test("a folder without a manifest, and a manifest of another format, are refused", async (context) => {
  const version = await smallVersion(10);
  const folder = await writeVersion(context, version);
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ ...version.manifest, format: 3 }));
  const store = new MemoryStore();
  await assert.rejects(
    pushTo(store, folder),
    (error) => error instanceof Fault && /manifest.json is refused: expected format 1 or 2, got 3/.test(error.message),
  );
  await rm(join(folder, "manifest.json"));
  await assert.rejects(pushTo(store, folder), Fault);
  assert.equal(store.keys.size, 0);
});

test("a store in use by a newer format is left alone", async (context) => {
  const folder = await writeVersion(context, await smallVersion(10));
  const store = new MemoryStore();
  store.keys.set("current", '{"format":3}');
  await assert.rejects(
    pushTo(store, folder),
    (error) => error instanceof Fault && /current is refused: expected format 1 or 2, got 3/.test(error.message),
  );
  assert.deepEqual([...store.keys.keys()], ["current"]);
});

test("a published version: says so, writes nothing and removes a left-over pushing:<id>", async (context) => {
  const version = await smallVersion(10);
  const folder = await writeVersion(context, version);
  const store = new MemoryStore();
  await pushTo(store, folder);
  store.keys.set(`pushing:${version.manifest.id}`, "{}");
  store.calls.length = 0;
  const { wasPublished, uploaded } = await pushTo(store, folder);
  assert.deepEqual([wasPublished, uploaded], [true, 0]);
  assert.deepEqual(
    store.calls.filter((call) => call.startsWith("put")),
    [],
  );
  assertPublished(store, version);
});

test("a text that was altered or deleted in the store is mended by --again, which uploads all that the folder has", async (context) => {
  const version = await smallVersion(1);
  const store = new MemoryStore();
  const folder = await writeVersion(context, version);
  await pushTo(store, folder);
  use(store, version);
  const [[altered, text], [deleted]] = version.texts;
  store.keys.set(altered, `${text} `);
  store.keys.delete(deleted);
  assert.equal((await pushTo(store, folder)).uploaded, 0, "nobody has looked");
  assert.equal((await pushTo(store, folder, { again: true })).uploaded, version.texts.size);
  assertPublished(store, version);
});

test("a current that was spoilt does not stop a push", async (context) => {
  const version = await smallVersion(1);
  const store = new MemoryStore();
  store.keys.set("current", "garbage {");
  assert.equal((await pushTo(store, await writeVersion(context, version))).uploaded, version.texts.size);
  assert.equal(store.keys.get("current"), "garbage {");
});

test("a version whose texts it relied on is deleted meanwhile: what the folder has of it is uploaded, too", async (context) => {
  const base = await smallVersion(10);
  const next = await makeVersion({ branches: { 1000: [[1, 2, 7], [3]], 2000: [[4], []] }, onto: base.manifest.id });
  const deleted = [`version:${base.manifest.id}`, ...base.texts.keys()];
  for (const isWhole of [true, false]) {
    const store = new MemoryStore();
    await pushTo(store, await writeVersion(context, base));
    store.after = async (call) => {
      if (call.startsWith("put shard:") && store.keys.has(deleted[0])) for (const key of deleted) store.keys.delete(key);
    };
    const pushing = pushTo(store, await writeVersion(context, next, (key) => isWhole || !base.texts.has(key)));
    if (isWhole) assert.equal((await pushing).uploaded, next.texts.size);
    else await assert.rejects(pushing, /may have been deleted by gc: build again$/);
    if (isWhole) assertPublished(store, next);
    else
      assert.deepEqual(
        [...store.keys.keys()].filter((key) => /^(version|pushing):/.test(key)),
        [],
      );
  }
});

test("the progress ends at the number of missing texts", async (context) => {
  const version = await smallVersion(10);
  const seen = [];
  const progress = (what, total) => ({
    update: (done) => seen.push([what, done, total]),
    stop: () => seen.push("stop"),
  });
  await push(new MemoryStore(), await writeVersion(context, version), { progress }, { now: NOW });
  const total = version.texts.size;
  assert.deepEqual(seen.slice(-2), [["Uploading", total, total], "stop"]);
});

/** A push that was cut before its fourth shard, and what it had written down. */
async function cutPush(context, version, prepare = () => {}) {
  const store = new MemoryStore();
  await prepare(store);
  const folder = await writeVersion(context, version);
  let shards = 0;
  store.before = async (call) => {
    if (call.startsWith("put shard:") && (shards += 1) === 4) throw new Cut();
  };
  await assert.rejects(push(store, folder, SILENT, { now: slowClock() }), Cut);
  store.before = async () => {};
  store.calls.length = 0;
  return { store, folder, writes: () => store.calls.filter((call) => /^put (shard|layer|zones)/.test(call)) };
}

const manyShards = () => makeVersion({ branches: { 1: [1, 2, 3, 4, 5, 6, 7, 8].map((code) => [code]) } });

test("a push that was cut goes on, from another machine, too", async (context) => {
  const version = await manyShards();
  const { store, writes } = await cutPush(context, version);
  const { uploaded, of } = store.read(`pushing:${version.manifest.id}`);
  assert.deepEqual([uploaded, of], [4, 9], "the layer and three shards");
  const result = await pushTo(store, await writeVersion(context, version));
  assert.deepEqual([result.uploaded, result.there, writes().length], [5, 4, 5]);
  assertPublished(store, version);
});

test("it begins anew with --again, with another number of files, and where pushing:<id> was spoilt", async (context) => {
  const version = await manyShards();
  const key = `pushing:${version.manifest.id}`;
  const { store: cut, folder } = await cutPush(context, version);
  const note = cut.read(key);
  for (const [spoilt, again] of [
    [note, true],
    [{ ...note, of: 8 }],
    [{ ...note, uploaded: "4" }],
    [{ ...note, reliesOn: undefined }],
    [{ ...note, reliesOn: ["0123456789abcdef"] }],
    ["{"],
  ]) {
    const store = cut.copy();
    store.keys.set(key, JSON.stringify(spoilt));
    assert.equal((await pushTo(store, folder, { again })).uploaded, 9);
    assertPublished(store, version);
  }
});

test("it goes on although another version came into use, and not if what it relied on is gone", async (context) => {
  const [version, other] = await Promise.all([manyShards(), smallVersion(3)]);
  const base = await makeVersion({ branches: { 1: [[1], [2]] } });
  const publish = async (store, ...versions) => {
    for (const one of versions) await pushTo(store, await writeVersion(context, one));
  };
  const { store: cut, folder } = await cutPush(context, version, async (store) => {
    await publish(store, base, other);
    use(store, base);
  });
  use(cut, other);
  const gone = cut.copy();
  for (const key of [`version:${base.manifest.id}`, ...base.texts.keys()]) gone.keys.delete(key);
  const { uploaded } = await pushTo(cut, folder);
  assert.ok(uploaded < 6, `${uploaded}`);
  assertPublished(cut, version);
  await pushTo(gone, folder);
  assertPublished(gone, version);
});

test("how far it has come is written down every few seconds, not more often", async (context) => {
  const version = await manyShards();
  const store = new MemoryStore();
  let time = NOW().getTime();
  await push(store, await writeVersion(context, version), SILENT, { now: () => new Date((time += 1500)) });
  const notes = store.calls.filter((call) => call.startsWith("put pushing:"));
  assert.deepEqual(notes.length, 3);
});

test("no call lists anything", async (context) => {
  const version = await smallVersion(1, { zones, hasLists: true });
  const store = new MemoryStore();
  const folder = await writeVersion(context, version);
  for (const again of [false, true]) await pushTo(store, folder, { again });
  assert.deepEqual(
    store.calls.filter((call) => call.startsWith("list")),
    [],
  );
});

test("cut at every single call: what is in use stays, and the next push uploads only the rest", async (context) => {
  const used = await smallVersion(10);
  const version = await smallVersion(20, { zones, hasLists: true });
  const store = new MemoryStore();
  await pushTo(store, await writeVersion(context, used));
  const current = JSON.stringify({ ...used.manifest, activatedAt: NOW().toISOString(), predecessors: [] });
  store.keys.set("current", current);
  const folder = await writeVersion(context, version);

  const calls = await failAtEachCall(
    store,
    (cut) => push(cut, folder, SILENT, { now: slowClock() }),
    async (cut, what) => {
      assert.equal(cut.keys.get("current"), current, what);
      assertPublished(cut, used);
      const isPublished = cut.keys.has(`version:${version.manifest.id}`);
      const there = [...version.texts.keys()].filter((key) => cut.keys.has(key));
      if (isPublished) assert.equal(there.length, version.texts.size, what);
      // Before its first upload a push stands under pushing:.
      if (there.length > 0 && !isPublished) assert.ok(cut.keys.has(`pushing:${version.manifest.id}`), what);

      const { uploaded } = await pushTo(cut, folder);
      // The last one may be there without a note of it.
      const left = version.texts.size - there.length;
      assert.ok(uploaded === left || uploaded === left + 1, `${what}: ${uploaded} of ${left}`);
      assertPublished(cut, version);
      assertPublished(cut, used);
      assert.equal(cut.keys.get("current"), current, what);
    },
  );
  assert.ok(calls > version.texts.size + 4);
});
