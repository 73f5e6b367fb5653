// `activate` and `rollback`: one write of `current`, or none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { activate, rollback } from "../../worker/data/activate.js";
import { Fault } from "../../worker/data/fault.js";
import { MemoryStore, failAtEachCall } from "./memory-store.js";
import { makeVersion, smallVersion } from "./versions.js";

const hour = (n) => new Date(Date.UTC(2026, 10, 23, n)).toISOString();
const at = (n) => () => new Date(Date.UTC(2026, 10, 23, n));

/** A store in which these versions are published. */
function storeWith(...versions) {
  const store = new MemoryStore();
  for (const { manifest, texts } of versions) {
    for (const [key, text] of texts) store.keys.set(key, text);
    store.keys.set(`version:${manifest.id}`, JSON.stringify({ ...manifest, pushedAt: hour(0) }));
  }
  return store;
}

const idOf = ({ manifest }) => manifest.id;
const versions = (count, more) =>
  Promise.all(Array.from({ length: count }, (_, index) => smallVersion(index + 1, more)));
const writesOf = (store) => store.calls.filter((call) => /^(put|delete)/.test(call));

/** Refused with this message, and nothing was written. */
async function assertRefused(store, act, message) {
  const before = new Map(store.keys);
  store.calls.length = 0;
  await assert.rejects(act, (error) => {
    assert.ok(error instanceof Fault, String(error.stack));
    assert.match(error.message, message);
    return true;
  });
  assert.deepEqual(writesOf(store), []);
  assert.deepEqual(store.keys, before);
}

test("the first version, and the next one", async () => {
  const [first, second] = await versions(2);
  const store = storeWith(first, second);
  const result = await activate(store, idOf(first), {}, at(1));
  assert.deepEqual(result, { id: idOf(first), before: undefined, isChanged: true, manifest: first.manifest });
  assert.deepEqual(store.read("current"), { ...first.manifest, activatedAt: hour(1), predecessors: [] });
  await activate(store, idOf(second), {}, at(2));
  const predecessors = [{ id: idOf(first), from: hour(1), to: hour(2) }];
  assert.deepEqual(store.read("current"), { ...second.manifest, activatedAt: hour(2), predecessors });
  assert.deepEqual(writesOf(store), ["put current", "put current"]);
});

test("the version in use: nothing is written", async () => {
  const [version] = await versions(1);
  const store = storeWith(version);
  await activate(store, idOf(version), {}, at(1));
  store.calls.length = 0;
  assert.equal((await activate(store, idOf(version), {}, at(2))).isChanged, false);
  assert.deepEqual(writesOf(store), []);
});

test("a version that is not published", async () => {
  const [version] = await versions(1);
  const store = storeWith();
  await assertRefused(store, activate(store, idOf(version)), /is not published: push it first/);
});

test("a version of another format, and a store in use by another format", async () => {
  const [version] = await versions(1);
  const store = storeWith(version);
  store.keys.set(`version:${idOf(version)}`, JSON.stringify({ ...version.manifest, format: 2 }));
  await assertRefused(store, activate(store, idOf(version), { force: true }), /^version:[0-9a-f]{16} is refused: expected format 1, got 2; use the version/);
  const newer = storeWith(version);
  newer.keys.set("current", '{"format":2}');
  await assertRefused(newer, activate(newer, idOf(version), { force: true }), /^current is refused: expected format 1, got 2/);
  await assertRefused(newer, rollback(newer), /^current is refused: expected format 1, got 2/);
});

test("a version that misses any of its texts", async () => {
  for (const hasLists of [false, true]) {
    const version = await smallVersion(1, { zones: "{}", hasLists });
    for (const key of version.texts.keys()) {
      const store = storeWith(version);
      store.keys.delete(key);
      await assertRefused(store, activate(store, idOf(version), { force: true }), new RegExp(`${key}.* is missing`));
    }
  }
});

test("a version built onto another than the one in use, also with force", async () => {
  const [base, other] = await versions(2);
  const onto = await smallVersion(3, { onto: idOf(base) });
  const store = storeWith(base, other, onto);
  await activate(store, idOf(other), {}, at(1));
  const message = new RegExp(`^${idOf(onto)} was built onto ${idOf(base)}, but ${idOf(other)} is in use: build again`);
  await assertRefused(store, activate(store, idOf(onto), { force: true }), message);
  await activate(store, idOf(base), {}, at(2));
  await activate(store, idOf(onto), {}, at(3));
  assert.equal(store.read("current").id, idOf(onto));
  await activate(store, idOf(other), {}, at(4));
  await activate(store, idOf(onto), {}, at(5));
  assert.equal(store.read("current").id, idOf(onto), "it was in use before");
});

test("nothing is in use, because current was deleted: also what was built onto another is activated", async () => {
  const [base] = await versions(1);
  const onto = await smallVersion(3, { onto: idOf(base) });
  const store = storeWith(base, onto);
  await activate(store, idOf(onto), {}, at(1));
  assert.equal(store.read("current").id, idOf(onto));
});

test("a current that was spoilt: refused with the way out; force writes it anew", async () => {
  const [version, other] = await versions(2);
  for (const spoilt of ["garbage {", "null", '{"format":1}', "{}", "[]"]) {
    const store = storeWith(version, other);
    store.keys.set("current", spoilt);
    for (const act of [() => activate(store, idOf(version)), () => rollback(store)]) {
      await assertRefused(store, act(), /"activate <id> --force" replaces it, and may forget what was in use before$/);
    }
    const switched = await activate(store, idOf(version), { force: true }, at(1));
    assert.deepEqual([switched.before, switched.isChanged], [undefined, true]);
    assert.deepEqual(store.read("current"), { ...version.manifest, activatedAt: hour(1), predecessors: [] });
  }
});

test("a current that was altered but names the version: force writes it anew, and keeps what was before", async () => {
  const [version, other] = await versions(2);
  const store = storeWith(version, other);
  await activate(store, idOf(other), {}, at(1));
  await activate(store, idOf(version), {}, at(2));
  const right = store.read("current");
  store.keys.set("current", JSON.stringify({ ...right, zones: "0".repeat(32) }));
  const fault = /^current is refused: id: expected [0-9a-f]{16}, the hash of the content, got .* --force" replaces it/;
  await assertRefused(store, activate(store, idOf(version)), fault);
  await assertRefused(store, rollback(store), fault);
  assert.equal((await activate(store, idOf(version), { force: true }, at(3))).isChanged, true);
  assert.deepEqual(store.read("current"), { ...right, activatedAt: hour(3) });
});

test("a current whose id was altered: force writes it anew, and no rollback goes to an id that nobody published", async () => {
  const [version, other, third] = await versions(3);
  const store = storeWith(version, other, third);
  await activate(store, idOf(other), {}, at(1));
  await activate(store, idOf(version), {}, at(2));
  store.keys.set("current", JSON.stringify({ ...store.read("current"), id: "0123456789abcdef" }));
  const switched = await activate(store, idOf(third), { force: true }, at(3));
  assert.equal(switched.before, undefined);
  assert.deepEqual(store.read("current").predecessors.map(({ id }) => id), [idOf(other)]);
  assert.equal((await rollback(store, at(4))).id, idOf(other));
});

test("force does not take a store that fails for one without a version", async () => {
  const [version] = await versions(1);
  const store = storeWith(version);
  store.before = async () => {
    throw new Fault("KV is down");
  };
  await assert.rejects(activate(store, idOf(version), { force: true }), { message: "KV is down" });
});

test("a version that took over zones which have changed since, also with force", async () => {
  const zoned = await smallVersion(1, { zones: "{}" });
  const rezoned = await smallVersion(2, { zones: '{"a":1}' });
  const [bare] = await versions(1);
  const version = await smallVersion(3, { zones: "{}", zonesFrom: idOf(zoned) });
  const store = storeWith(zoned, rezoned, bare, version);
  const refuse = () =>
    assertRefused(
      store,
      activate(store, idOf(version), { force: true }),
      /took over the zones of .* with other zones: build again/,
    );
  await activate(store, idOf(rezoned), {}, at(1));
  await refuse();
  await activate(store, idOf(bare), {}, at(2));
  await refuse();
  await activate(store, idOf(zoned), {}, at(3));
  await activate(store, idOf(version), {}, at(4));
  assert.equal(store.read("current").id, idOf(version));
});

test("equal zones of another version are the same zones", async () => {
  const zoned = await smallVersion(1, { zones: "{}" });
  const again = await smallVersion(2, { zones: "{}" });
  const version = await smallVersion(3, { zones: "{}", zonesFrom: idOf(zoned) });
  const store = storeWith(zoned, again, version);
  await activate(store, idOf(again), {}, at(1));
  await activate(store, idOf(version), {}, at(2));
  assert.equal(store.read("current").id, idOf(version));
});

test("the check sees both versions; its Fault stops, and force passes it", async () => {
  const [first, second] = await versions(2);
  const store = storeWith(first, second);
  await activate(store, idOf(first), {}, at(1));
  const seen = [];
  const check = async (manifest, current) => {
    seen.push(manifest.id, current.id);
    throw new Fault("2 of 3 prices change by more than 30%");
  };
  await assertRefused(store, activate(store, idOf(second), { check }), /^2 of 3 prices/);
  assert.deepEqual(seen, [idOf(second), idOf(first)]);
  await activate(store, idOf(second), { check, force: true }, at(2));
  assert.equal(store.read("current").id, idOf(second));
});

test("a write of current that fails: the message says how to learn whether it was done", async () => {
  const [version] = await versions(1);
  const store = storeWith(version);
  store.after = async (call) => {
    if (call === "put current")
      throw new Fault("cannot write current in CATALOGUE of staging: Cloudflare's API cannot be reached");
  };
  await assert.rejects(
    activate(store, idOf(version)),
    /cannot be reached; "status" says whether it was done all the same$/,
  );
});

test("at most ten predecessors, the newest first, each once", async () => {
  const all = await versions(13);
  const store = storeWith(...all);
  for (const [index, version] of all.entries()) await activate(store, idOf(version), {}, at(index));
  const named = () => store.read("current").predecessors.map(({ id }) => id);
  assert.deepEqual(named(), all.slice(2, 12).reverse().map(idOf));
  await activate(store, idOf(all[11]), {}, at(14));
  assert.deepEqual(
    named(),
    [12, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => idOf(all[index])),
  );
});

test("each rollback goes one version further back, and marks what it left", async () => {
  const [a, b, c, d] = await versions(4);
  const store = storeWith(a, b, c, d);
  for (const [index, version] of [a, b, c].entries()) await activate(store, idOf(version), {}, at(index));
  assert.deepEqual(await rollback(store, at(3)), {
    id: idOf(b),
    before: idOf(c),
    isChanged: true,
    manifest: b.manifest,
  });
  assert.deepEqual(store.read("current"), {
    ...b.manifest,
    activatedAt: hour(3),
    predecessors: [
      { id: idOf(c), from: hour(2), to: hour(3), rolledBack: true },
      { id: idOf(a), from: hour(0), to: hour(1) },
    ],
  });
  assert.equal((await rollback(store, at(4))).id, idOf(a));
  await assertRefused(store, rollback(store), /has no predecessor left/);

  await activate(store, idOf(d), {}, at(5));
  assert.equal((await rollback(store, at(6))).id, idOf(a), "not to b or c, which were left by rollbacks");
  await activate(store, idOf(b), {}, at(7));
  await activate(store, idOf(c), {}, at(8));
  assert.equal((await rollback(store, at(9))).id, idOf(b), "activated again, b counts");
});

test("rollback without any version", async () => {
  const store = new MemoryStore();
  await assertRefused(store, rollback(store), /^nothing is in use yet/);
});

test("rollback asks neither for limits nor for onto, and refuses an incomplete or deleted version", async () => {
  const base = await smallVersion(1);
  const onto = await smallVersion(2, { onto: idOf(base), zones: "{}", zonesFrom: idOf(base) });
  const last = await smallVersion(3);
  const store = storeWith(base, onto, last);
  const text = JSON.stringify({
    ...last.manifest,
    activatedAt: hour(2),
    predecessors: [{ id: idOf(onto), from: hour(1), to: hour(2) }],
  });
  store.keys.set("current", text);
  const incomplete = store.copy();
  incomplete.keys.delete([...onto.texts.keys()][0]);
  await assertRefused(incomplete, rollback(incomplete), /is incomplete/);
  const deleted = store.copy();
  deleted.keys.delete(`version:${idOf(onto)}`);
  await assertRefused(deleted, rollback(deleted), /is not published/);
  assert.equal((await rollback(store, at(3))).id, idOf(onto));
});

test("cut at every single call: current is what it was, or whole", async () => {
  const [first, second] = await Promise.all([smallVersion(1), smallVersion(2, { hasLists: true, zones: "{}" })]);
  const store = storeWith(first, second);
  await activate(store, idOf(first), {}, at(1));
  const before = store.keys.get("current");

  const ahead = (cut) => activate(cut, idOf(second), {}, at(2));
  const done = store.copy();
  await ahead(done);
  const after = done.keys.get("current");
  await failAtEachCall(store, ahead, async (cut, what) => {
    assert.ok([before, after].includes(cut.keys.get("current")), what);
    await ahead(cut);
    assert.equal(cut.keys.get("current"), after, what);
  });

  const third = await makeVersion({ branches: { 1: [[1]] } });
  for (const [key, text] of storeWith(third).keys) done.keys.set(key, text);
  await activate(done, idOf(third), {}, at(3));
  const back = (cut) => rollback(cut, at(4));
  await failAtEachCall(done, back, async (cut, what) => {
    const { id } = cut.read("current");
    assert.ok([idOf(third), idOf(second)].includes(id), what);
  });
});
