// `activate` and `rollback`: an entry of the history, then one write of `current`, or nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../worker/command-line/fault.js";
import { activate, cancel, rollback } from "../../worker/data/versions/activate.js";
import { chainFrom } from "../../worker/data/versions/history.js";
import { readCurrent } from "../../worker/data/versions/version.js";
import { failAtEachCall, MemoryStore } from "./memory-store.js";
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
const versions = (count, more) => Promise.all(Array.from({ length: count }, (_, index) => smallVersion(index + 1, more)));
const writesOf = (store) => store.calls.filter((call) => /^(put|delete)/.test(call));
const BY = { by: "Ann" };

/** `current` without the history, which has tests of its own. */
function currentOf(store) {
  const { history, ...current } = store.read("current");
  assert.ok(store.keys.has(`history:${history}`));
  return current;
}

/** The entries of the history, the newest first, without their links. */
async function entriesOf(store) {
  const entries = [];
  for await (const { entry, fault } of chainFrom(store, store.read("current")?.history)) {
    assert.equal(fault, undefined);
    const { previous, ...rest } = entry;
    entries.push(rest);
  }
  return entries;
}

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
  assert.deepEqual(currentOf(store), { ...first.manifest, activatedAt: hour(1), predecessors: [] });
  await activate(store, idOf(second), { by: "Ann", note: "new prices" }, at(2));
  const predecessors = [{ id: idOf(first), from: hour(1), to: hour(2) }];
  assert.deepEqual(currentOf(store), { ...second.manifest, activatedAt: hour(2), predecessors });
  const kinds = writesOf(store).map((call) => call.split(":")[0]);
  assert.deepEqual(kinds, ["put history", "put current", "put history", "put current"]);
  assert.deepEqual(await entriesOf(store), [
    { action: "activate", id: idOf(second), at: hour(2), before: idOf(first), by: "Ann", note: "new prices" },
    { action: "activate", id: idOf(first), at: hour(1), before: null, by: "unknown" },
  ]);
});

test("what a push says of itself stays in version:<id>", async () => {
  const [version] = await versions(1);
  const store = storeWith(version);
  const text = JSON.stringify({ ...version.manifest, pushedAt: hour(0), pushedBy: "Ann", note: "new prices" });
  store.keys.set(`version:${idOf(version)}`, text);
  await activate(store, idOf(version), {}, at(1));
  assert.deepEqual(currentOf(store), { ...version.manifest, activatedAt: hour(1), predecessors: [] });
});

test("versions of format 1: activated, and gone back to from format 2", async () => {
  for (const hasLists of [false, true]) {
    const old = await smallVersion(1, { format: 1, hasLists, zones: "{}" });
    const [version] = await versions(1);
    const store = storeWith(old, version);
    await activate(store, idOf(old), {}, at(1));
    await activate(store, idOf(version), {}, at(2));
    await rollback(store, BY, at(3));
    const left = { id: idOf(version), from: hour(2), to: hour(3), rolledBack: true };
    assert.deepEqual(currentOf(store), { ...old.manifest, activatedAt: hour(3), predecessors: [left] });
    assert.equal((await readCurrent(store)).format, 1);
  }
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
  store.keys.set(`version:${idOf(version)}`, JSON.stringify({ ...version.manifest, format: 3 }));
  await assertRefused(
    store,
    activate(store, idOf(version), { force: true }),
    /^version:[0-9a-f]{16} is refused: expected format 1 or 2, got 3; use the version/,
  );
  const newer = storeWith(version);
  newer.keys.set("current", '{"format":3}');
  await assertRefused(newer, activate(newer, idOf(version), { force: true }), /^current is refused: expected format 1 or 2, got 3/);
  await assertRefused(newer, rollback(newer), /^current is refused: expected format 1 or 2, got 3/);
});

test("a version of whose texts any is missing or altered, also with force", async () => {
  const [used] = await versions(1);
  for (const more of [{ hasLists: false }, { hasLists: true }, { format: 1, hasLists: true }]) {
    const version = await smallVersion(2, { zones: "{}", ...more });
    for (const key of version.texts.keys()) {
      const store = storeWith(used, version);
      await activate(store, idOf(used), {}, at(0));
      store.keys.delete(key);
      const advice = "push the version that names it again, with --again";
      const message = (damage) => new RegExp(`^${idOf(version)} is incomplete: ${key} is ${damage}: ${advice}$`);
      await assertRefused(store, activate(store, idOf(version), { force: true }), message("missing"));
      store.keys.set(key, "1 {}\n");
      await assertRefused(store, activate(store, idOf(version)), message("altered"));
    }
  }
});

test("it reads what the version names and the version in use does not", async () => {
  const branches = Object.fromEntries(Array.from({ length: 20 }, (_, branch) => [branch, [[branch], [branch + 100]]]));
  const used = await makeVersion({ branches, zones: "{}" });
  const version = await makeVersion({ branches: { ...branches, 7: [[7], [200]] }, zones: "{}" });
  const store = storeWith(used, version);
  await activate(store, idOf(used), {}, at(0));
  store.calls.length = 0;
  const seen = [];
  await activate(store, idOf(version), { onProgress: (done, total) => seen.push([done, total]) }, at(1));
  const read = store.calls.filter((call) => call.startsWith("get ")).flatMap((call) => call.split(" ").slice(1));
  const mine = [...version.texts.keys()].filter((key) => !used.texts.has(key));
  const texts = read.filter((key) => /^(shard|layer|zones)/.test(key));
  const theirs = texts.filter((key) => !mine.includes(key));
  assert.deepEqual(texts.filter((key) => mine.includes(key)).sort(), mine.sort());
  assert.equal(theirs.length, 1, "the layer of the branch that changed");
  assert.deepEqual(seen, [[1, 1]]);
});

test("a damaged version in use does not stop another one", async () => {
  const [used, version] = await versions(2);
  const store = storeWith(used, version);
  await activate(store, idOf(used), {}, at(0));
  for (const key of used.texts.keys()) store.keys.delete(key);
  await activate(store, idOf(version), {}, at(1));
  assert.equal(store.read("current").id, idOf(version));
});

test("nothing is in use: by force only the layers are read, because orders fail meanwhile", async () => {
  const version = await smallVersion(1, { zones: "{}" });
  for (const spoilt of [undefined, "garbage {"]) {
    const store = storeWith(version);
    if (spoilt) store.keys.set("current", spoilt);
    await activate(store, idOf(version), { force: true }, at(1));
    assert.equal(
      store.calls.some((call) => call.includes("shard:")),
      false,
    );
    assert.equal(store.read("current").id, idOf(version));
  }
});

test("somebody switches, or gc deletes the version, while the check runs: nothing is written", async () => {
  const [used, version, other] = await versions(3);
  for (const [happens, message] of [
    [(store) => activate(store, idOf(other), {}, at(1)), /^somebody switched or planned meanwhile/],
    [(store) => store.keys.delete(`version:${idOf(version)}`), /was deleted by gc meanwhile: push it again$/],
  ]) {
    const store = storeWith(used, version, other);
    await activate(store, idOf(used), {}, at(0));
    let after;
    const check = async () => {
      await happens(store);
      after = new Map(store.keys);
    };
    await assert.rejects(activate(store, idOf(version), { check }, at(2)), { message });
    assert.deepEqual(store.keys, after);
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
  for (const spoilt of ["garbage {", "null", '{"format":1}', '{"format":2}', "{}", "[]"]) {
    const store = storeWith(version, other);
    store.keys.set("current", spoilt);
    for (const act of [() => activate(store, idOf(version)), () => rollback(store)]) {
      await assertRefused(store, act(), /"activate <id> --force" replaces it, and may forget what was in use before$/);
    }
    const switched = await activate(store, idOf(version), { force: true }, at(1));
    assert.deepEqual([switched.before, switched.isChanged], [undefined, true]);
    assert.deepEqual(currentOf(store), { ...version.manifest, activatedAt: hour(1), predecessors: [] });
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
  const { history, ...before } = right;
  assert.deepEqual(currentOf(store), { ...before, activatedAt: hour(3) });
  assert.deepEqual(
    (await entriesOf(store)).map(({ id }) => id),
    [version, version, other].map(idOf),
    "the chain goes on",
  );
});

test("a current whose id was altered: force writes it anew, and no rollback goes to an id that nobody published", async () => {
  const [version, other, third] = await versions(3);
  const store = storeWith(version, other, third);
  await activate(store, idOf(other), {}, at(1));
  await activate(store, idOf(version), {}, at(2));
  store.keys.set("current", JSON.stringify({ ...store.read("current"), id: "0123456789abcdef" }));
  const switched = await activate(store, idOf(third), { force: true }, at(3));
  assert.equal(switched.before, undefined);
  assert.deepEqual(
    store.read("current").predecessors.map(({ id }) => id),
    [idOf(other)],
  );
  assert.equal((await rollback(store, BY, at(4))).id, idOf(other));
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
    assertRefused(store, activate(store, idOf(version), { force: true }), /took over the zones of .* with other zones: build again/);
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

test("the check sees both versions, and its Fault stops, also by force: it knows what that passes", async () => {
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
  await assertRefused(store, activate(store, idOf(second), { check, force: true }), /^2 of 3 prices/);
});

test("a write of current that fails: the message says how to learn whether it was done", async () => {
  const [version] = await versions(1);
  const store = storeWith(version);
  store.after = async (call) => {
    if (call === "put current") throw new Fault("cannot write current in CATALOGUE of staging: Cloudflare's API cannot be reached");
  };
  await assert.rejects(activate(store, idOf(version)), /cannot be reached; "status" says whether it was done all the same$/);
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
  assert.deepEqual(await rollback(store, BY, at(3)), {
    id: idOf(b),
    before: idOf(c),
    isChanged: true,
    manifest: b.manifest,
  });
  assert.deepEqual(currentOf(store), {
    ...b.manifest,
    activatedAt: hour(3),
    predecessors: [
      { id: idOf(c), from: hour(2), to: hour(3), rolledBack: true },
      { id: idOf(a), from: hour(0), to: hour(1) },
    ],
  });
  assert.equal((await rollback(store, BY, at(4))).id, idOf(a));
  await assertRefused(store, rollback(store), /has no predecessor left/);

  await activate(store, idOf(d), {}, at(5));
  assert.equal((await rollback(store, BY, at(6))).id, idOf(a), "not to b or c, which were left by rollbacks");
  await activate(store, idOf(b), {}, at(7));
  await activate(store, idOf(c), {}, at(8));
  assert.equal((await rollback(store, BY, at(9))).id, idOf(b), "activated again, b counts");
});

test("rollback without any version", async () => {
  const store = new MemoryStore();
  await assertRefused(store, rollback(store), /^nothing is in use yet/);
});

test("rollback makes four requests at any size, and reads no text", async () => {
  const branches = Object.fromEntries(Array.from({ length: 300 }, (_, branch) => [branch, [[branch], [branch + 1000]]]));
  const large = await makeVersion({ branches, hasLists: true });
  const [version] = await versions(1);
  const store = storeWith(large, version);
  await activate(store, idOf(large), {}, at(0));
  await activate(store, idOf(version), {}, at(1));
  store.calls.length = 0;
  await rollback(store, { by: "Ann", note: "wrong" }, at(2));
  const { history } = store.read("current");
  assert.deepEqual(store.calls, ["get current", `get version:${idOf(large)}`, `put history:${history}`, "put current"]);
  const [entry] = await entriesOf(store);
  assert.deepEqual(entry, { action: "rollback", id: idOf(large), at: hour(2), before: idOf(version), by: "Ann", note: "wrong" });
});

test("rollback asks neither for limits nor for onto, and refuses a deleted version", async () => {
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
  const deleted = store.copy();
  deleted.keys.delete(`version:${idOf(onto)}`);
  await assertRefused(deleted, rollback(deleted), /is not published/);
  assert.equal((await rollback(store, BY, at(3))).id, idOf(onto));
});

// ---------------------------------------------------------------- planned switches

/** A store with a version in use since hour 1, and another planned for hour 9 at hour 2. */
async function planned(...more) {
  const [used, next, other] = await versions(3);
  const store = storeWith(used, next, other, ...more);
  await activate(store, idOf(used), BY, at(1));
  const result = await activate(store, idOf(next), { ...BY, at: hour(9) }, at(2));
  store.calls.length = 0;
  return { store, used, next, other, result };
}

const PLAN = { at: hour(9) };

test("a plan stands beside what is in use, and is in use from its time on", async () => {
  const { store, used, next, result } = await planned();
  assert.deepEqual(result, { id: idOf(next), before: idOf(used), isChanged: true, manifest: next.manifest });
  const now = { ...used.manifest, activatedAt: hour(1), predecessors: [] };
  assert.deepEqual(currentOf(store), { ...now, next: { id: idOf(next), at: hour(9) } });
  assert.equal((await readCurrent(store, at(8)())).id, idOf(used));
  const { history, ...due } = await readCurrent(store, at(9)());
  assert.deepEqual(due, { ...next.manifest, activatedAt: hour(9), predecessors: [{ id: idOf(used), from: hour(1), to: hour(9) }] });
  const [entry] = await entriesOf(store);
  assert.deepEqual(entry, { action: "plan", id: idOf(next), at: hour(2), before: idOf(used), planned: hour(9), by: "Ann" });
});

test("a plan is checked as an activation is, when it is made", async () => {
  const [used, next, other] = await versions(3);
  const onto = await smallVersion(4, { onto: idOf(other) });
  const store = storeWith(used, next, onto);
  await assertRefused(
    store,
    activate(store, idOf(next), PLAN, at(1)),
    /^nothing readable is in use until then: activate a version without --at/,
  );
  await activate(store, idOf(used), {}, at(1));
  await assertRefused(store, activate(store, idOf(onto), PLAN, at(2)), /was built onto .* is in use: build again/);
  await assertRefused(store, activate(store, idOf(used), PLAN, at(2)), /is in use already: plan another version$/);
  const check = async () => {
    throw new Fault("too much");
  };
  await assertRefused(store, activate(store, idOf(next), { ...PLAN, check }, at(2)), /^too much$/);
  store.keys.delete([...next.texts.keys()][0]);
  await assertRefused(store, activate(store, idOf(next), PLAN, at(2)), /is incomplete/);
});

test("less than ten minutes ahead is refused, also where the check takes so long", async () => {
  const [used, next] = await versions(2);
  const store = storeWith(used, next);
  await activate(store, idOf(used), {}, at(1));
  const message = /is less than ten minutes ahead: KV promises no bound/;
  const minutesBefore = (minutes) => () => new Date(Date.parse(hour(9)) - minutes * 60_000);
  await assertRefused(store, activate(store, idOf(next), PLAN, minutesBefore(9.99)), message);
  await assertRefused(store, activate(store, idOf(next), PLAN, at(10)), message);
  let minutes = 11;
  const check = async () => (minutes = 9);
  await assertRefused(
    store,
    activate(store, idOf(next), { ...PLAN, check }, () => minutesBefore(minutes)()),
    message,
  );
  await activate(store, idOf(next), PLAN, minutesBefore(10));
  assert.deepEqual(store.read("current").next, { id: idOf(next), at: hour(9) });
});

test("before its time: an activate, a rollback or another plan drops it and says so", async () => {
  const { store, used, next, other } = await planned();
  const plan = { id: idOf(next), at: hour(9) };
  const another = store.copy();
  assert.deepEqual((await activate(another, idOf(other), { at: hour(10) }, at(3))).dropped, plan);
  assert.deepEqual(another.read("current").next, { id: idOf(other), at: hour(10) });

  const same = store.copy();
  const { isChanged, dropped } = await activate(same, idOf(used), BY, at(3));
  assert.deepEqual([isChanged, dropped], [false, plan]);
  assert.deepEqual(currentOf(same), { ...used.manifest, activatedAt: hour(1), predecessors: [] });

  assert.deepEqual((await activate(store, idOf(other), {}, at(3))).dropped, plan);
  assert.equal(store.read("current").next, undefined);
  await activate(store, idOf(next), PLAN, at(4));
  assert.deepEqual(await rollback(store, BY, at(5)), {
    id: idOf(used),
    before: idOf(other),
    isChanged: true,
    manifest: used.manifest,
    dropped: plan,
  });
  assert.equal((await readCurrent(store, at(10)())).id, idOf(used));
});

test("from its time on it is what is in use: for activate, for rollback, and for what was built onto it", async () => {
  const { store, used, next, other } = await planned();
  const was = { id: idOf(used), from: hour(1), to: hour(9) };
  const back = store.copy();
  assert.equal((await rollback(back, BY, at(10))).before, idOf(next));
  const { history } = back.read("current");
  assert.deepEqual(back.calls, ["get current", `get version:${idOf(next)}`, `put history:${history}`, "put current"]);
  assert.deepEqual(currentOf(back), {
    ...used.manifest,
    activatedAt: hour(10),
    predecessors: [{ id: idOf(next), from: hour(9), to: hour(10), rolledBack: true }],
  });

  const on = store.copy();
  const { before, dropped } = await activate(on, idOf(other), {}, at(10));
  assert.deepEqual([before, dropped], [idOf(next), undefined]);
  assert.deepEqual(on.read("current").predecessors, [{ id: idOf(next), from: hour(9), to: hour(10) }, was]);
  assert.equal((await activate(store, idOf(next), {}, at(10))).isChanged, false);

  const onto = await smallVersion(4, { onto: idOf(next) });
  for (const [key, text] of storeWith(onto).keys) store.keys.set(key, text);
  await assertRefused(store, activate(store, idOf(onto), {}, at(8)), /was built onto/);
  await activate(store, idOf(onto), { at: hour(12) }, at(10));
  assert.deepEqual(currentOf(store), {
    ...next.manifest,
    activatedAt: hour(9),
    predecessors: [was],
    next: { id: idOf(onto), at: hour(12) },
  });
});

test("its time comes while an activate checks: nothing is written", async () => {
  const { store, other } = await planned();
  let time = hour(8);
  const check = async () => (time = hour(9));
  await assertRefused(
    store,
    activate(store, idOf(other), { check }, () => new Date(time)),
    /^somebody switched or planned meanwhile/,
  );
});

test("cancel takes a plan back before its time, and only then", async () => {
  const { store, used, next } = await planned();
  const late = store.copy();
  await assertRefused(
    late,
    cancel(late, BY, at(9)),
    new RegExp(`^${idOf(next)} is in use since 2026-11-23 09:00:00 UTC, as planned: "rollback" goes back$`),
  );
  assert.deepEqual(await cancel(store, { by: "Ann", note: "not yet" }, at(8)), { id: idOf(next), at: hour(9), inUse: idOf(used) });
  assert.deepEqual(currentOf(store), { ...used.manifest, activatedAt: hour(1), predecessors: [] });
  const [entry] = await entriesOf(store);
  assert.deepEqual(entry, {
    action: "cancel",
    id: idOf(next),
    at: hour(8),
    before: idOf(used),
    planned: hour(9),
    by: "Ann",
    note: "not yet",
  });
  await assertRefused(store, cancel(store), /^nothing is planned$/);
  const empty = new MemoryStore();
  await assertRefused(empty, cancel(empty), /^nothing is planned$/);
});

test("a planned version that is gone when its time comes: a fault with two ways out", async () => {
  const { store, used, next, other } = await planned();
  store.keys.delete(`version:${idOf(next)}`);
  const message = /is not published: push it again, or activate another version with --force$/;
  await assertRefused(store, rollback(store, BY, at(10)), message);
  await assertRefused(store, activate(store, idOf(other), {}, at(10)), message);
  const { before, dropped } = await activate(store, idOf(other), { force: true }, at(10));
  assert.deepEqual([before, dropped.id], [idOf(used), idOf(next)]);
  assert.deepEqual(store.read("current").predecessors, [{ id: idOf(used), from: hour(1), to: hour(10) }]);
});

test("no command here lists anything", async () => {
  const { store, other } = await planned();
  await cancel(store, BY, at(3));
  await activate(store, idOf(other), { force: true }, at(4));
  await rollback(store, BY, at(5));
  assert.deepEqual(
    store.calls.filter((call) => call.startsWith("list")),
    [],
  );
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
  const planning = (cut) => activate(cut, idOf(first), { at: hour(20) }, at(4));
  const used = ({ keys }) => JSON.parse(keys.get("current")).id;
  await failAtEachCall(done, planning, async (cut, what) => {
    assert.equal(used(cut), idOf(third), what);
    await planning(cut);
    assert.deepEqual(cut.read("current").next, { id: idOf(first), at: hour(20) }, what);
    await failAtEachCall(
      cut,
      (again) => cancel(again, BY, at(5)),
      async (again) => assert.equal(used(again), idOf(third), what),
    );
  });
  const back = (cut) => rollback(cut, BY, at(4));
  await failAtEachCall(done, back, async (cut, what) => {
    const { id } = cut.read("current");
    assert.ok([idOf(third), idOf(second)].includes(id), what);
  });
});
