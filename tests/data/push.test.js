// `push`: what a store has after it, after a push that failed, and after the next one.
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Fault } from "../../worker/data/fault.js";
import { push } from "../../worker/data/push.js";
import { Cut, MemoryStore, SILENT, failAtEachCall } from "./memory-store.js";
import { makeVersion, smallVersion, writeVersion } from "./versions.js";

const NOW = () => new Date("2026-11-23T09:00:00.000Z");
const pushTo = (store, folder, options) => push(store, folder, SILENT, { now: NOW, ...options });
const zones = '{"type":"FeatureCollection","features":[]}';

/** Every text of the version is there, and `version:<id>` says what it is. */
function assertPublished(store, { manifest, texts }) {
  for (const [key, text] of texts) assert.equal(store.keys.get(key), text, key);
  assert.deepEqual(store.read(`version:${manifest.id}`), { ...manifest, pushedAt: NOW().toISOString() });
  assert.equal(store.keys.has(`pushing:${manifest.id}`), false);
}

test("uploads every text of a version: pushing first, version last", async (context) => {
  const version = await smallVersion(10, { zones, hasLists: true });
  const store = new MemoryStore();
  const result = await pushTo(store, await writeVersion(context, version));
  const { id } = version.manifest;
  assert.deepEqual(result, { id, wasPublished: false, named: version.texts.size, uploaded: version.texts.size });
  assertPublished(store, version);
  const writes = store.calls.filter((call) => /^(put|delete)/.test(call));
  assert.equal(writes[0], `put pushing:${id}`);
  assert.deepEqual(writes.slice(-2), [`put version:${id}`, `delete pushing:${id}`]);
  // gc learns from the lists which shards a push needs.
  assert.match(writes[1], /^put branch:/);
});

test("pushing:<id> holds the manifest and when the push began", async (context) => {
  const version = await smallVersion(10);
  const store = new MemoryStore();
  store.before = async (call) => {
    if (call.startsWith("put shard:")) throw new Cut();
  };
  await assert.rejects(pushTo(store, await writeVersion(context, version)), Cut);
  const { id } = version.manifest;
  assert.deepEqual(store.read(`pushing:${id}`), { ...version.manifest, startedAt: NOW().toISOString() });
});

test("what the store has is not uploaded again", async (context) => {
  const store = new MemoryStore();
  await pushTo(store, await writeVersion(context, await smallVersion(10, { zones })));
  const next = await makeVersion({
    branches: {
      1000: [
        [1, 2],
        [3, 5],
      ],
      2000: [[4]],
    },
    zones,
  });
  const { uploaded } = await pushTo(store, await writeVersion(context, next));
  assert.equal(uploaded, 1);
  assertPublished(store, next);
});

test("a version built onto another has only its new texts in the folder", async (context) => {
  for (const hasLists of [false, true]) {
    const store = new MemoryStore();
    const base = await smallVersion(10, { hasLists });
    await pushTo(store, await writeVersion(context, base));
    const branches = { 1000: [[1, 2, 7], [3]], 2000: [[4], []] };
    const next = await makeVersion({ branches, hasLists, onto: base.manifest.id });
    const folder = await writeVersion(context, next, (key) => !base.texts.has(key));
    const { uploaded } = await pushTo(store, folder);
    assert.equal(uploaded, hasLists ? 2 : 1);
    assertPublished(store, next);
  }
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
      /^cannot push [0-9a-f]+: 2 texts that it names \(shard:[0-9a-f]+\) are neither in .* nor in the store; its base [0-9a-f]+ may have been deleted by gc: build again$/,
    );
    return true;
  });
  assert.deepEqual([...store.keys.keys()], []);
});

test("a branch list that neither has: a Fault", async (context) => {
  const version = await smallVersion(10, { hasLists: true });
  const folder = await writeVersion(context, version, (key) => !key.startsWith("branch:"));
  await assert.rejects(pushTo(new MemoryStore(), folder), Fault);
});

test("an altered file is refused before anything is written", async (context) => {
  const version = await smallVersion(10, { zones, hasLists: true });
  for (const key of version.texts.keys()) {
    const folder = await writeVersion(context, version);
    await writeFile(join(folder, ...key.split(":")), "1 {}\n");
    const store = new MemoryStore();
    await assert.rejects(pushTo(store, folder), (error) => error instanceof Fault && /\/[0-9a-f]{32} is altered: build again$/.test(error.message));
    assert.equal(store.keys.size, 0);
  }
});

test("a folder without a manifest, and a manifest of another format, are refused", async (context) => {
  const version = await smallVersion(10);
  const folder = await writeVersion(context, version);
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ ...version.manifest, format: 2 }));
  const store = new MemoryStore();
  await assert.rejects(pushTo(store, folder), (error) => error instanceof Fault && /manifest.json is refused: expected format 1, got 2/.test(error.message));
  await rm(join(folder, "manifest.json"));
  await assert.rejects(pushTo(store, folder), Fault);
  assert.equal(store.keys.size, 0);
});

test("a store in use by a newer format is left alone", async (context) => {
  const folder = await writeVersion(context, await smallVersion(10));
  const store = new MemoryStore();
  store.keys.set("current", '{"format":2}');
  await assert.rejects(
    pushTo(store, folder),
    (error) => error instanceof Fault && /current is refused: expected format 1, got 2/.test(error.message),
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

test("a published version that lost a text is completed", async (context) => {
  const version = await smallVersion(10);
  const folder = await writeVersion(context, version);
  const store = new MemoryStore();
  await pushTo(store, folder);
  store.keys.delete([...version.texts.keys()][0]);
  const { uploaded } = await pushTo(store, folder);
  assert.equal(uploaded, 1);
  assertPublished(store, version);
});

test("a text that was altered in the store is mended by --again, which uploads all that the folder has", async (context) => {
  const version = await smallVersion(1);
  const store = new MemoryStore();
  const folder = await writeVersion(context, version);
  await pushTo(store, folder);
  const [key, text] = [...version.texts][0];
  store.keys.set(key, `${text} `);
  assert.equal((await pushTo(store, folder)).uploaded, 0, "the store knows only that it is there");
  assert.equal((await pushTo(store, folder, { again: true })).uploaded, version.texts.size);
  assert.equal(store.keys.get(key), text);
});

test("a current that was spoilt does not stop a push", async (context) => {
  const version = await smallVersion(1);
  const store = new MemoryStore();
  store.keys.set("current", "garbage {");
  assert.equal((await pushTo(store, await writeVersion(context, version))).uploaded, version.texts.size);
  assert.equal(store.keys.get("current"), "garbage {");
});

test("a text that a gc deletes while the push is under way is uploaded again", async (context) => {
  const version = await smallVersion(10);
  const [orphan, text] = [...version.texts][0];
  const store = new MemoryStore();
  store.keys.set(orphan, text);
  store.after = async (call) => {
    if (call.startsWith("put shard:")) store.keys.delete(orphan);
    if (call === `put ${orphan}`) store.keys.set(orphan, text);
  };
  await pushTo(store, await writeVersion(context, version));
  assertPublished(store, version);
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
    (cut) => pushTo(cut, folder),
    async (cut, what) => {
      assert.equal(cut.keys.get("current"), current, what);
      assertPublished(cut, used);
      const isPublished = cut.keys.has(`version:${version.manifest.id}`);
      const there = [...version.texts.keys()].filter((key) => cut.keys.has(key));
      if (isPublished) assert.equal(there.length, version.texts.size, what);
      // Before its first upload a push stands under pushing:.
      if (there.length > 0 && !isPublished) assert.ok(cut.keys.has(`pushing:${version.manifest.id}`), what);

      const { uploaded } = await pushTo(cut, folder);
      assert.equal(uploaded, version.texts.size - there.length, what);
      assertPublished(cut, version);
      assertPublished(cut, used);
      assert.equal(cut.keys.get("current"), current, what);
    },
  );
  assert.ok(calls > version.texts.size + 4);
});
