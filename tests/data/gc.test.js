// `gc` keeps what a version in use, kept or being pushed names, and deletes the rest.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../worker/command-line/fault.js";
import { push } from "../../worker/data/store/push.js";
import { activate, rollback } from "../../worker/data/versions/activate.js";
import { gc } from "../../worker/data/versions/gc.js";
import { allAtNight, cases, SEED } from "../effort.js";
import { randomFrom } from "../model/generator/random.js";
import { Cut, failAtEachCall, MemoryStore, SILENT } from "./memory-store.js";
import { makeVersion, smallVersion, writeVersion } from "./versions.js";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-23T09:00:00.000Z");
const now = () => new Date(NOW);
const hoursAgo = (hours) => new Date(NOW - hours * HOUR).toISOString();
const idOf = ({ manifest }) => manifest.id;
const collect = (store, keep) => gc(store, { keep }, now);

class Shop {
  store = new MemoryStore();

  /** Publishes versions, the last one latest. */
  publish(...versions) {
    for (const [index, version] of versions.entries()) this.publishAt(version, 1000 - index);
    return this;
  }

  publishAt({ manifest, texts }, hours) {
    this.upload(texts);
    this.store.keys.set(`version:${manifest.id}`, JSON.stringify({ ...manifest, pushedAt: hoursAgo(hours) }));
  }

  upload(texts) {
    for (const [key, text] of texts) this.store.keys.set(key, text);
  }

  use({ manifest }, predecessors = []) {
    this.store.keys.set("current", JSON.stringify({ ...manifest, activatedAt: hoursAgo(1), predecessors }));
    return this;
  }

  push({ manifest, texts }, hours) {
    this.upload(texts);
    this.store.keys.set(`pushing:${manifest.id}`, JSON.stringify({ ...manifest, startedAt: hoursAgo(hours) }));
    return this;
  }
}

const before = (version, hours) => ({ id: idOf(version), from: hoursAgo(hours + 1), to: hoursAgo(hours) });

function assertWhole(store, { manifest, texts }, what) {
  assert.ok(store.keys.has(`version:${manifest.id}`), `${what}: version:${manifest.id}`);
  for (const key of texts.keys()) assert.ok(store.keys.has(key), `${what}: ${key}`);
}

const published = (store) => [...store.keys.keys()].filter((key) => key.startsWith("version:")).map((key) => key.slice(8));
const textsOf = (...versions) => new Set(versions.flatMap(({ texts }) => [...texts.keys()]));
const textsIn = (store) => new Set([...store.keys.keys()].filter((key) => /^(shard|zones|branch|layer|changes):/.test(key)));

const sorted = (values) => [...values].sort();
const assertSame = (actual, expected, what) => assert.deepEqual(sorted(actual), sorted(expected), what);
const versions = (count, more) => Promise.all(Array.from({ length: count }, (_, index) => smallVersion(index + 1, more)));

async function assertRefused(store, keep, message) {
  const keys = new Map(store.keys);
  await assert.rejects(collect(store, keep), (error) => {
    assert.ok(error instanceof Fault, String(error.stack));
    assert.match(error.message, message);
    return true;
  });
  assert.deepEqual(store.keys, keys);
}

test("keeps what is in use and the newest versions, and counts", async () => {
  const [a, b, c, d] = await versions(4, { zones: "{}", hasLists: true });
  const { store } = new Shop().publish(a, b, c, d).use(a);
  const result = await collect(store, 1);
  assertSame(published(store), [idOf(a), idOf(d)]);
  assertSame(textsIn(store), textsOf(a, d));
  const texts = textsOf(a, b, c, d).size - textsOf(a, d).size;
  assert.deepEqual(
    { ...result, deleted: sorted(result.deleted) },
    {
      kept: [
        { id: idOf(d), pushedAt: hoursAgo(997), reasons: ["one of the 1 newest"] },
        { id: idOf(a), pushedAt: hoursAgo(1000), reasons: ["in use since 2026-11-23 08:00:00 UTC"] },
      ],
      pushes: [],
      deleted: sorted([idOf(b), idOf(c)]),
      givenUp: [],
      texts,
      textsKept: textsOf(a, d).size,
    },
  );
});

test("texts that a kept version shares stay", async () => {
  const a = await makeVersion({ branches: { 1: [[1], [2]], 2: [[3]] }, zones: "{}" });
  const b = await makeVersion({ branches: { 1: [[1], [4]] }, zones: "{}" });
  const { store } = new Shop().publish(a, b).use(b);
  await collect(store, 0);
  assertSame(textsIn(store), textsOf(b));
});

test("without a version in use nothing is deleted that may have been; without any version nothing happens", async () => {
  const [a, b, c] = await versions(3);
  const { store } = new Shop().publish(a, b, c);
  const before = store.copy();
  await assert.rejects(collect(store, 2), { message: 'nothing is in use, so gc cannot tell what was: "activate <id>" first' });
  assert.deepEqual(store.keys, before.keys);
  await collect(store, 3);
  assertSame(published(store), [idOf(a), idOf(b), idOf(c)]);
  const empty = new MemoryStore();
  const nothing = { kept: [], pushes: [], deleted: [], givenUp: [], texts: 0, textsKept: 0 };
  assert.deepEqual(await collect(empty, 0), nothing);
});

test("the version in use stays whole though its version: key is gone", async () => {
  const [a, b] = await versions(2);
  const { store } = new Shop().publish(a, b).use(a);
  store.keys.delete(`version:${idOf(a)}`);
  await collect(store, 0);
  assertSame(textsIn(store), textsOf(a));
});

test("what was in use within 24 hours stays", async () => {
  const [a, b, c] = await versions(3);
  const { store } = new Shop().publish(a, b, c).use(c, [before(b, 23.9), before(a, 24.1)]);
  await collect(store, 0);
  assertSame(published(store), [idOf(b), idOf(c)]);
  assertSame(textsIn(store), textsOf(b, c));
});

test("what a rollback goes back to stays, however long ago it was in use", async () => {
  const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map((seed) => smallVersion(seed)));
  const shop = new Shop().publish(a, b, c, d).use(d, [{ ...before(c, 90), rolledBack: true }, before(b, 91), before(a, 92)]);
  await collect(shop.store, 0);
  assertSame(published(shop.store), [d, b].map(idOf));
});

test("a full list of predecessors within 24 hours has forgotten others: every version stays", async () => {
  const all = await versions(13);
  const used = all.slice(0, 10);
  const list = (oldest) => used.map((version, index) => before(version, index === 9 ? oldest : index));
  const { store } = new Shop().publish(...all).use(all[12], list(23));
  const orphan = await makeVersion({ branches: { 7: [[7]] } });
  for (const [key, text] of orphan.texts) store.keys.set(key, text);
  const { deleted, texts } = await collect(store, 0);
  assert.deepEqual([deleted, texts], [[], orphan.texts.size], "only what no version names goes");

  const { store: older } = new Shop().publish(...all).use(all[12], list(25));
  await collect(older, 0);
  assertSame(published(older), [...used.slice(0, 9), all[12]].map(idOf));
});

test("a predecessor within 24 hours that is no longer published: nothing is deleted", async () => {
  const [a, b, c] = await versions(3);
  const { store } = new Shop().publish(b, c).use(c, [before(a, 2)]);
  await assertRefused(store, 0, new RegExp(`^${idOf(a)} was in use until .* until 24 hours after that`));
});

test("a push of the last 7 days keeps its texts and its version; an older one is given up", async () => {
  const [a, b, c] = await versions(3);
  const shop = new Shop()
    .publish(a)
    .use(a)
    .push(b, 7 * 24 - 1)
    .push(c, 7 * 24 + 1);
  shop.publishAt(b, 900);
  const { store } = shop;
  const { pushes, givenUp } = await collect(store, 0);
  assert.deepEqual(pushes, [{ id: idOf(b), startedAt: hoursAgo(7 * 24 - 1) }]);
  assert.deepEqual(givenUp, [idOf(c)]);
  assert.ok(store.keys.has(`pushing:${idOf(b)}`));
  assert.ok(!store.keys.has(`pushing:${idOf(c)}`));
  assertSame(published(store), [idOf(a), idOf(b)]);
  assertSame(textsIn(store), textsOf(a, b));
});

test("a push that has not uploaded its layers yet does not stop it, and keeps what it has uploaded", async () => {
  const [a, b, c] = await versions(3, { hasLists: true });
  const { store } = new Shop().publish(a, c).use(a).push(b, 1);
  const isThere = (key) => key.startsWith("branch:");
  for (const key of b.texts.keys()) if (!isThere(key)) store.keys.delete(key);
  await collect(store, 0);
  assertSame(textsIn(store), [...textsOf(a), ...[...b.texts.keys()].filter(isThere)]);
});

test("what a push relies on stays", async () => {
  const [a, b, c, d] = await versions(4);
  const shop = new Shop().publish(a, b, c, d).use(d);
  const onto = await smallVersion(5, { onto: idOf(a) });
  shop.push(onto, 1);
  const key = `pushing:${idOf(onto)}`;
  shop.store.keys.set(key, JSON.stringify({ ...shop.store.read(key), reliesOn: [idOf(a), idOf(b)] }));
  await collect(shop.store, 0);
  assertSame(published(shop.store), [a, b, d].map(idOf));
});

test("a manifest of an unknown format, or none at all: nothing is deleted", async () => {
  const [a, b, c] = await versions(3);
  for (const key of ["current", `version:${idOf(b)}`, "version:x", `pushing:${idOf(c)}`]) {
    for (const text of ['{"format":3}', "no JSON", "null", "{}"]) {
      const { store } = new Shop().publish(a, b).use(a).push(c, 1000);
      store.keys.set(key, text);
      await assertRefused(store, 0, new RegExp(`^${key} is refused: expected (JSON|format 1 or 2, got (3|undefined))`));
    }
  }
});

test("a damaged branch list of a kept version: nothing is deleted", async () => {
  const [a, b] = await versions(2, { hasLists: true });
  const { store } = new Shop().publish(a, b).use(b);
  store.keys.set(
    [...b.texts.keys()].find((key) => key.startsWith("branch:")),
    "[]",
  );
  await assertRefused(store, 0, /^gc stopped, as it cannot tell which texts [0-9a-f]{16} names: branch:[0-9a-f]{32} is altered/);
});

test("a push whose time is unreadable counts as under way", async () => {
  const [a, b] = await versions(2);
  const { store } = new Shop().publish(a).use(a).push(b, 1);
  store.keys.set(`pushing:${idOf(b)}`, JSON.stringify(b.manifest));
  await collect(store, 0);
  assertSame(textsIn(store), textsOf(a, b));
});

test("an activation beside gc: what is in use then stays, and gc goes on", async () => {
  const [a, b, c] = await versions(3);
  const shop = new Shop().publish(a, b, c).use(b);
  shop.store.after = async (call) => {
    if (call.startsWith("delete version:")) shop.use(a);
  };
  const { deleted } = await collect(shop.store, 0);
  assertSame(deleted, [a, c].map(idOf));
  assertSame(textsIn(shop.store), textsOf(a, b));
});

test("a version that is published beside gc stays whole, and so does a push that begins", async () => {
  const [a, b, c, d] = await versions(4);
  const shop = new Shop().publish(a, b).use(b);
  shop.upload(c.texts);
  shop.upload(d.texts);
  shop.store.after = async (call) => {
    if (!call.startsWith("delete version:")) return;
    shop.publishAt(c, 0);
    shop.push(d, 0);
  };
  await collect(shop.store, 0);
  assertSame(textsIn(shop.store), textsOf(b, c, d));
});

test("a push that begins between gc's look and its delete: gc says which version to push again", async () => {
  const [a, b, c] = await versions(3);
  const shop = new Shop().publish(a, b).use(b);
  shop.upload(c.texts);
  let isPushed = false;
  shop.store.before = async (call) => {
    if (isPushed || !/^delete (shard|layer):/.test(call)) return;
    isPushed = true;
    shop.push(c, 0);
  };
  await assert.rejects(
    collect(shop.store, 0),
    /at the moment in which a push or an activation began that needs it: push that version again, with --again$/,
  );
  assertSame(published(shop.store), [idOf(b)]);
});

test("what it cannot understand meanwhile stops it", async () => {
  const [a, b] = await versions(2);
  const { store } = new Shop().publish(a, b).use(b);
  store.after = async (call) => {
    if (call.startsWith("delete version:")) store.keys.set("current", "{");
  };
  await assert.rejects(collect(store, 0), /^(Error: )?current is refused: expected JSON/);
  assert.ok([...b.texts.keys()].every((key) => store.keys.has(key)));
});

test("a planned version stays, and from its time on what it took the place of", async () => {
  const [a, b, c] = await versions(3);
  const { store } = new Shop().publish(a, b, c).use(a);
  const plan = (hours) =>
    store.keys.set("current", JSON.stringify({ ...store.read("current"), next: { id: idOf(b), at: hoursAgo(hours) } }));
  for (const hours of [-1, 0, 1, 30]) {
    plan(hours);
    await collect(store, 0);
    assertSame(published(store), [a, b].map(idOf), `${hours}`);
  }
  store.keys.delete(`version:${idOf(b)}`);
  plan(-1);
  await assertRefused(store, 0, /^gc stopped: [0-9a-f]{16}, planned for 2026-11-23 10:00:00 UTC, is not published: push it again$/);
});

// ---------------------------------------------------------------- by the history

/** Versions that were in use one after the other, an hour each, the last one since an hour ago. */
async function hourly(count) {
  const all = await versions(count);
  const shop = new Shop().publish(...all);
  for (const [index, { manifest }] of all.entries()) {
    await activate(shop.store, manifest.id, { force: true }, () => new Date(NOW - (count - index) * HOUR));
  }
  return { all, store: shop.store };
}

test("24 activations in a day: all of them stay, and what is older goes", async () => {
  const { all, store } = await hourly(30);
  await collect(store, 0);
  assertSame(published(store), all.slice(5).map(idOf));
  assertSame(textsIn(store), textsOf(...all.slice(5)));
});

test("an activation each hour beside gc does not stop it", async () => {
  const { all, store } = await hourly(40);
  const orphans = await makeVersion({ branches: { 9: Array.from({ length: 64 }, (_, index) => [index]) } });
  for (const [key, text] of orphans.texts) store.keys.set(key, text);
  let deletes = 0;
  let activations = 0;
  store.after = async (call) => {
    if (!call.startsWith("delete ") || (deletes += 1) % 3 !== 0) return;
    const other = new MemoryStore();
    other.keys = store.keys;
    activations += 1;
    const { manifest } = all.at(-1 - (activations % 20));
    await activate(other, manifest.id, { force: true }, () => new Date(NOW + activations * HOUR));
  };
  await collect(store, 0);
  store.after = async () => {};
  for (const id of published(store))
    assertWhole(
      store,
      all.find((version) => idOf(version) === id),
      id,
    );
  for (const key of orphans.texts.keys()) assert.equal(store.keys.has(key), false);
  assert.ok(activations > 20, `${activations}`);
});

test("plans, rollbacks and what was dropped: what was in use within 24 hours stays, not what was only planned", async () => {
  const [a, b, c, d, e, f] = await versions(6);
  const { store } = new Shop().publish(a, b, c, d, e, f);
  const ago = (hours) => () => new Date(NOW - hours * HOUR);
  await activate(store, idOf(a), {}, ago(100));
  await activate(store, idOf(b), { force: true, at: hoursAgo(23) }, ago(99)); // a was in use until 23 hours ago
  await activate(store, idOf(c), { force: true, at: hoursAgo(1) }, ago(22)); // dropped
  await activate(store, idOf(d), { force: true }, ago(21));
  await activate(store, idOf(e), { force: true }, ago(20));
  await rollback(store, {}, ago(19));
  const { kept } = await collect(store, 0);
  assertSame(published(store), [a, b, d, e].map(idOf));
  assert.deepEqual(kept.find(({ id }) => id === idOf(a)).reasons, ["in use until 2026-11-22 10:00:00 UTC"]);
});

test("a history that does not go back 24 hours: predecessors say it, unless their list is full", async () => {
  const { all, store } = await hourly(13);
  const { history } = store.read("current");
  store.keys.delete(`history:${history}`);
  const { deleted } = await collect(store, 0);
  assert.deepEqual(deleted, [], "eleven were named, and two were forgotten");
  const { store: short } = await hourly(4);
  short.keys.delete(`history:${short.read("current").history}`);
  const unused = await makeVersion({ branches: { 9: [[9]] } });
  short.keys.set(`version:${idOf(unused)}`, JSON.stringify({ ...unused.manifest, pushedAt: hoursAgo(2000) }));
  assert.deepEqual((await collect(short, 0)).deleted, [idOf(unused)]);
  assert.ok(all.length > 0);
});

test("no entry of the history goes", async () => {
  const { store } = await hourly(40);
  const entries = () => [...store.keys.keys()].filter((key) => key.startsWith("history:")).length;
  await collect(store, 0);
  assert.equal(entries(), 40);
});

test("--dry-run deletes nothing and says what would go", async () => {
  const [a, b, c, d] = await versions(4);
  const { store } = new Shop().publish(a, b).use(b).push(c, 1).push(d, 1000);
  const { deleted, givenUp, pushes } = await gc(store, { keep: 0, dryRun: true }, now);
  assert.deepEqual([deleted, givenUp, pushes.map(({ id }) => id)], [[idOf(a)], [idOf(d)], [idOf(c)]]);
  assert.deepEqual(
    store.calls.filter((call) => /^(put|delete|list (?!version|pushing))/.test(call)),
    [],
  );
});

test("it shows how far it is", async () => {
  const [a, b] = await versions(2);
  const { store } = new Shop().publish(a, b).use(b);
  const seen = [];
  const { texts, textsKept } = await gc(store, { keep: 0, onProgress: (...counts) => seen.push(counts) }, now);
  assert.equal(seen.at(-1)[0], texts + textsKept);
});

test("other keys stay untouched", async () => {
  const [a] = await versions(1);
  const { store } = new Shop().publish(a).use(a);
  store.keys.set("shards", "x").set("note:1", "y");
  await collect(store, 0);
  assert.ok(store.keys.has("shards") && store.keys.has("note:1"));
});

test("cut at every single call: no kept version misses anything, and the next gc finishes", async () => {
  const [a, b, c, d, e] = await versions(5, { hasLists: true, zones: "{}" });
  const { store } = new Shop()
    .publish(a, b, c, d)
    .use(c, [before(b, 1)])
    .push(e, 1000);
  const clean = store.copy();
  await collect(clean, 0);
  await failAtEachCall(
    store,
    (cut) => collect(cut, 0),
    async (cut, what) => {
      for (const version of [b, c]) assertWhole(cut, version, what);
      for (const id of published(cut))
        assertWhole(
          cut,
          [a, b, c, d].find((version) => idOf(version) === id),
          what,
        );
      await collect(cut, 0);
      assert.deepEqual(cut.keys, clean.keys, what);
    },
  );
});

// ---------------------------------------------------------------- random shops

const RUNS = allAtNight(60, cases(100));

/** A shop whose versions share texts, and what of it must stay. */
async function randomShop(random) {
  const shop = new Shop();
  const shard = () => (random.chance(0.1) ? [] : [random.integer(1, 12)]);
  const randomVersion = () =>
    makeVersion({
      branches: Object.fromEntries(random.times(random.integer(0, 3), (index) => [index, random.times(2 ** random.integer(0, 2), shard)])),
      zones: random.pick([null, "{}", '{"a":1}']),
      hasLists: random.chance(0.3),
    });
  const byId = new Map();
  for (let index = random.integer(0, 14); index > 0; index -= 1) {
    const version = await randomVersion();
    byId.set(idOf(version), version);
  }
  const all = random.shuffle([...byId.values()]);
  const age = new Map(all.map((version, index) => [version, 100 + index]));
  for (const version of all) shop.publishAt(version, age.get(version));

  const [current, ...others] = random.shuffle(all);
  const step = random.pick([1, 2, 10]);
  const predecessors = others.slice(0, 10).map((version, index) => before(version, (index + 1) * step + 0.5));
  const isUsed = current !== undefined;
  if (isUsed) shop.use(current, predecessors);

  const must = new Set(isUsed ? [current] : []);
  const recent = isUsed ? predecessors.filter(({ to }) => Date.parse(to) > NOW - 24 * HOUR) : [];
  for (const { id } of recent) must.add(byId.get(id));
  if (recent.length === 10) for (const version of all) must.add(version);
  const keep = random.integer(0, 4);
  for (const version of [...all].sort((left, right) => age.get(left) - age.get(right)).slice(0, keep)) must.add(version);
  const pushed = new Set();
  for (let index = random.integer(0, 2); index > 0; index -= 1) {
    const version = await randomVersion();
    const isFresh = random.chance(0.5);
    shop.push(version, isFresh ? 100 : 200);
    pushed[isFresh ? "add" : "delete"](version);
    if (!isFresh) for (const other of pushed) if (idOf(other) === idOf(version)) pushed.delete(other);
  }
  for (const version of pushed) if (byId.has(idOf(version))) must.add(byId.get(idOf(version)));
  const orphans = await randomVersion();
  shop.upload(orphans.texts);
  return { store: shop.store, keep, must: [...must], pushed: [...pushed] };
}

test(`${RUNS} random shops from seed ${SEED}: what must stay stays, also when gc is cut, and nothing else`, async () => {
  let deletions = 0;
  for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
    const random = randomFrom(seed);
    const { store, keep, must, pushed } = await randomShop(random);
    const what = `seed ${seed}`;
    const clean = store.copy();
    const { deleted } = await collect(clean, keep);
    deletions += deleted.length;
    assertSame(textsIn(clean), textsOf(...must, ...pushed), what);
    const ids = new Set([...must].map(idOf));
    for (const { manifest } of pushed) if (store.keys.has(`version:${manifest.id}`)) ids.add(manifest.id);
    assertSame(published(clean), ids, what);

    const cut = store.copy();
    const last = random.integer(1, clean.calls.length);
    cut.before = async (_, number) => {
      if (number === last) throw new Cut();
    };
    await assert.rejects(collect(cut, keep), Cut);
    for (const version of must) assertWhole(cut, version, what);
    for (const key of textsOf(...pushed)) assert.ok(cut.keys.has(key), what);
    cut.before = async () => {};
    await collect(cut, keep);
    assert.deepEqual(cut.keys, clean.keys, what);
  }
  assert.ok(deletions > RUNS / 2, `only ${deletions} versions were deleted`);
});

// ---------------------------------------------------------------- beside a push

/** Lets two actors act on one store, a call at a time, in random order. */
async function interleave(random, keys, actors) {
  const waiting = new Map();
  const calls = [];
  let running = actors.length;
  const release = () => {
    if (waiting.size < running) return;
    const name = random.pick([...waiting.keys()]);
    const go = waiting.get(name);
    waiting.delete(name);
    go?.();
  };
  const run = async ({ name, act }) => {
    const store = new MemoryStore();
    store.keys = keys;
    store.before = (call) => {
      const turn = new Promise((go) => waiting.set(name, go));
      release();
      return turn.then(() => calls.push(`${name}: ${call}`));
    };
    const outcome = await act(store).catch((error) => error);
    running -= 1;
    if (running > 0 && waiting.size === running) release();
    return outcome;
  };
  return { outcomes: await Promise.all(actors.map(run)), calls };
}

test(`${RUNS} pushes beside a gc, from seed ${SEED}: what is published is whole`, async (context) => {
  const [used, old] = await versions(2, { hasLists: true });
  // The push can use texts of a version that gc is about to delete.
  const next = await makeVersion({ branches: { 1000: [[1, 2], [3]], 3000: [[9], [8]] }, price: 2 });
  const folder = await writeVersion(context, next);
  let within = 0;
  for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
    const { store } = new Shop().publish(old, used).use(used);
    const { outcomes } = await interleave(randomFrom(seed), store.keys, [
      { name: "push", act: (its) => push(its, folder, SILENT, { now }) },
      { name: "gc", act: (its) => collect(its, 1) },
    ]);
    assert.ok(!(outcomes[0] instanceof Error), `seed ${seed}: ${outcomes[0]?.stack}`);
    if (outcomes[1] instanceof Error) {
      // No order of calls helps a push that uploads between gc's look and its delete. gc says so.
      assert.match(outcomes[1].message, /again, with --again$/, `seed ${seed}`);
      within += 1;
      await push(store, folder, SILENT, { again: true, now });
    }
    assertWhole(store, next, `seed ${seed}`);
    assertWhole(store, used, `seed ${seed}`);
  }
  assert.ok(within < RUNS / 20, `${within} within`);
});
