// When `current` is looked at, who waits for that, and which version is in use.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { VersionInUse } from "../../pkg/catalogue/in-use.js";
import { CURRENT_KEY, versionKey } from "../../pkg/catalogue/keys.js";
import { currentText, makeVersion } from "../worker/catalogue.js";

const [ONE, TWO] = await Promise.all(["1", "2"].map((price) => makeVersion({ "1/1000": `{"price":${price}}` })));
const OPTIONS = { refreshMs: 30_000, maxAgeMs: 300_000, timeoutMs: 50 };

/** A watch whose store and clock the test controls. A version is its id. */
function setUp(t, options, apis = ["Date"]) {
  t.mock.timers.enable({ apis, now: 1_000_000 });
  const events = [];
  const store = { text: currentText(ONE), versions: {}, get: mock.fn(async () => store.text) };
  const warm = mock.fn(async () => {});
  const versionOf = mock.fn(({ id, activatedAt }) => ({ id, activatedAt, warm }));
  const held = [];
  const onEvent = (event) => events.push(JSON.parse(JSON.stringify(event)));
  const read = async ([name]) => new Map([[name, name === CURRENT_KEY ? await store.get() : (store.versions[name] ?? null)]]);
  const catalogue = new VersionInUse(read, { ...OPTIONS, ...options, hold: (work) => held.push(work), onEvent }, versionOf);
  return {
    store,
    versionOf,
    warm,
    catalogue,
    /** The id of the version in use, or why there is none. */
    current: () =>
      catalogue.version().then(
        ({ id }) => id,
        ({ message }) => message,
      ),
    /** Waits for what happens behind the orders. */
    settled: () => Promise.all(held),
    /** The look that began last. */
    lastLook: () => held.at(-1),
    /** What it told, but for the versions that were taken up. */
    told: () => events.filter(({ level }) => level !== "info"),
    /** The versions that were taken up. */
    takenUp: () => events.filter(({ level }) => level === "info").map(({ version }) => version),
    events,
    advance: (ms) => t.mock.timers.setTime(Date.now() + ms),
    looks: () => store.get.mock.callCount(),
  };
}

const data = (level, version, message, cause) => ({ level, ...(version && { version }), message, cause });

const hanging = () => new Promise(() => {});
const down = async () => {
  throw new Error("KV is down");
};

test("the first order looks; later ones find the version in memory", async (t) => {
  const { current, advance, looks } = setUp(t);
  assert.deepEqual(await Promise.all([current(), current()]), [ONE.id, ONE.id]);
  advance(29_999);
  assert.equal(await current(), ONE.id);
  assert.equal(looks(), 1);
});

test("it is looked at again behind the orders, one look at a time", async (t) => {
  const { store, current, settled, advance, looks } = setUp(t);
  await current();
  store.text = currentText(TWO);
  advance(30_000);
  assert.deepEqual(await Promise.all([current(), current()]), [ONE.id, ONE.id], "no order waits");
  await settled();
  assert.equal(looks(), 2);
  assert.equal(await current(), TWO.id);
});

test("an order of an isolate that is too old waits for the look", async (t) => {
  const { store, current, advance } = setUp(t);
  await current();
  store.text = currentText(TWO);
  advance(300_000);
  assert.equal(await current(), TWO.id);
});

for (const [how, get] of [
  ["hangs", hanging],
  ["fails", down],
]) {
  test(`a look that ${how}: the old version stays, the log says so, and the next orders do not wait`, async (t) => {
    const { store, current, told, advance, looks } = setUp(t);
    await current();
    store.get.mock.mockImplementation(get);
    advance(300_000);
    assert.equal(await current(), ONE.id);
    const cause = get === down ? "KV is down" : "No answer within 50 ms";
    assert.deepEqual(told(), [data("warn", ONE.id, "The price store did not answer: the version in use stays", cause)]);
    assert.equal(await current(), ONE.id);
    assert.equal(looks(), 2, "nothing waits again at once");
    store.get.mock.mockImplementation(async () => currentText(TWO));
    advance(30_000);
    assert.equal(await current(), TWO.id, "but after a while");
  });
}

test("a look that dies with its request does not prevent later ones", async (t) => {
  const { store, catalogue, current, advance, looks } = setUp(t, { refreshMs: 0, timeoutMs: 0 });
  await current();
  store.get.mock.mockImplementation(hanging);
  await current();
  await current();
  assert.equal(looks(), 2, "one at a time");
  advance(4_999);
  await current();
  assert.equal(looks(), 2);
  advance(1);
  await current();
  assert.equal(looks(), 3);
  catalogue.lookAgain();
  advance(999);
  catalogue.lookAgain();
  assert.equal(looks(), 3, "somebody has just looked");
  advance(1);
  catalogue.lookAgain();
  assert.equal(looks(), 4);
});

test("no version: orders learn why, and each looks again", async (t) => {
  const { store, current, told, advance, looks } = setUp(t);
  store.text = null;
  for (let time = 0; time < 2; time += 1) assert.equal(await current(), "No catalogue has been published yet");
  const line = data("error", undefined, "No catalogue has been published yet: no version is in use", "the key current is not there");
  assert.deepEqual(told(), [line]);
  store.get.mock.mockImplementation(down);
  assert.equal(await current(), "The price store did not answer");
  store.get.mock.mockImplementation(hanging);
  assert.equal(await current(), "The price store did not answer");
  advance(50);
  store.get.mock.mockImplementation(async () => null);
  assert.equal(await current(), "No catalogue has been published yet", "it answers again");
  assert.deepEqual(told(), [line], "an order that fails has a line of its own");
  const before = looks();
  store.get.mock.mockImplementation(async () => currentText(ONE));
  assert.equal(await current(), ONE.id);
  assert.equal(looks(), before + 1);
});

const branch = (more) => ({ branches: { 1000: { records: 1, layers: ["a"], ...more } } });

const REFUSED = [
  ["of an unknown format", currentText(TWO, { format: 3 }), "expected format 1 or 2, got 3"],
  ["without a format", "{}", "expected format 1 or 2, got undefined"],
  ["that is null", "null", "expected format 1 or 2, got undefined"],
  ["that is no JSON", "{", "expected JSON"],
  ["without an id", currentText(TWO, { id: undefined }), "id: expected 16 hexadecimal digits, got undefined"],
  ["without zones", currentText(TWO, { zones: undefined }), "zones: expected 32 hexadecimal digits, or null, got undefined"],
  ["without branches", currentText(TWO, { branches: undefined }), "branches: expected an object, got undefined"],
  ["with a layer that is none", currentText(TWO, branch()), 'branches["1000"].layers: expected a list of hashes, got ["a"]'],
  [
    "with a branch without layers",
    currentText(TWO, branch({ layers: undefined })),
    'branches["1000"].layers: expected a list of hashes, or list in its place, got undefined',
  ],
].map(([what, text, fault]) => [what, text, "The catalogue cannot be read", `the key current is refused: ${fault}`]);

for (const [what, text, message, cause] of [
  ...REFUSED,
  ["that is not there", null, "No catalogue has been published yet", "the key current is not there"],
]) {
  test(`a manifest ${what} is refused, and logged once`, async (t) => {
    const { store, catalogue, current, settled, told, advance, looks } = setUp(t);
    await current();
    store.text = text;
    for (let time = 0; time < 3; time += 1) {
      advance(30_000);
      assert.equal(await current(), ONE.id);
      await settled();
    }
    assert.equal(looks(), 4);
    assert.deepEqual(told(), [data("error", ONE.id, `${message}: the version in use stays`, cause)]);
    assert.equal(catalogue.state().fault, message);
    store.text = currentText(TWO);
    advance(30_000);
    await current();
    await settled();
    assert.equal(await current(), TWO.id);
    assert.deepEqual([catalogue.state().version.id, catalogue.state().fault], [TWO.id, undefined]);
  });
}

test("a refused manifest without a version before", async (t) => {
  const { store, current } = setUp(t);
  store.text = currentText(ONE, { format: 3 });
  assert.equal(await current(), "The catalogue cannot be read");
});

test("an unchanged version is told once, whatever else `current` says", async (t) => {
  const { store, catalogue, current, settled, advance, takenUp } = setUp(t);
  await current();
  store.text = currentText(ONE, { activatedAt: "2026-11-24T09:00:00.000Z" });
  advance(30_000);
  await current();
  await settled();
  assert.equal(await current(), ONE.id);
  assert.equal((await catalogue.version()).activatedAt, "2026-11-24T09:00:00.000Z", "but says since when");
  assert.deepEqual(takenUp(), [ONE.id]);
});

test("a version that was in use before `current` was refused is logged again, with the pricer that it had", async (t) => {
  const { store, versionOf, current, settled, advance, takenUp } = setUp(t);
  await current();
  for (const text of ["{", currentText(ONE)]) {
    store.text = text;
    advance(30_000);
    await current();
    await settled();
  }
  assert.equal(versionOf.mock.callCount(), 1);
  assert.deepEqual(takenUp(), [ONE.id, ONE.id]);
});

test("an older answer does not undo a newer one", async (t) => {
  const { store, catalogue, current, settled, lastLook, advance } = setUp(t);
  await current();
  let answer;
  store.get.mock.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  advance(1000);
  catalogue.lookAgain();
  advance(1000);
  store.text = currentText(TWO);
  catalogue.lookAgain();
  await lastLook();
  assert.equal(await current(), TWO.id);
  answer(currentText(ONE));
  await settled();
  assert.equal(await current(), TWO.id);
});

test("a clock that is set back does not keep an old version in use", async (t) => {
  const { store, current, advance, settled } = setUp(t);
  await current();
  store.text = currentText(TWO);
  advance(-900_000);
  assert.equal(await current(), TWO.id);
  store.text = currentText(ONE);
  advance(30_000);
  await current();
  await settled();
  assert.equal(await current(), ONE.id);
});

test("without DEADLINE_MS an order waits 5 s for a look that hangs, and then gets the version in memory", async (t) => {
  const { store, current, advance } = setUp(t, { timeoutMs: 0 }, ["Date", "setTimeout"]);
  await current();
  store.get.mock.mockImplementation(hanging);
  advance(300_000);
  let given;
  const waiting = current().then((id) => (given = id));
  await turn();
  t.mock.timers.tick(4_999);
  await turn();
  assert.equal(given, undefined);
  t.mock.timers.tick(1);
  assert.equal(await waiting, ONE.id);
});

test("looks that fail together write one line", async (t) => {
  const { store, current, told, advance } = setUp(t);
  await current();
  advance(300_000);
  store.get.mock.mockImplementation(down);
  await Promise.all(Array.from({ length: 50 }, current));
  assert.equal(told().length, 1);
});

test("a version that is taken up is logged", async (t) => {
  const { store, current, events, advance } = setUp(t, { maxAgeMs: 1000 });
  await current();
  store.text = currentText(TWO);
  advance(1000);
  await current();
  const taken = (id) => ({ level: "info", version: id, message: "The version is in use" });
  assert.deepEqual(events, [taken(ONE.id), taken(TWO.id)]);
});

// ---------------------------------------------------------------- a planned version

/** When the version is due, in the test's time: ten minutes after its start. */
const AT = new Date(1_600_000).toISOString();
const planned = (more) => currentText(ONE, { next: { id: TWO.id, at: AT }, ...more });
const published = { [versionKey(TWO.id)]: JSON.stringify({ ...TWO.manifest, pushedAt: AT }) };

test("a planned version is read beforehand, and in use to the millisecond, without another look", async (t) => {
  const { store, versionOf, warm, catalogue, current, settled, advance, looks, events } = setUp(t, { maxAgeMs: 1e9 });
  store.text = planned();
  store.versions = published;
  assert.equal(await current(), ONE.id);
  await settled();
  assert.deepEqual(
    versionOf.mock.calls.map((call) => call.arguments[0].id),
    [ONE.id, TWO.id],
  );
  assert.equal(warm.mock.callCount(), 0, "what its orders will want is not read so early");
  advance(480_000);
  for (let look = 0; look < 3; look += 1) {
    await current();
    await settled();
    advance(30_000);
  }
  assert.deepEqual(
    warm.mock.calls.map((call) => call.arguments[0].id),
    [ONE.id],
    "once, two minutes before",
  );
  advance(29_999);
  assert.equal(await current(), ONE.id);
  await settled();
  const before = looks();
  advance(1);
  assert.deepEqual([await current(), catalogue.state().version.activatedAt, looks()], [TWO.id, AT, before]);
  assert.deepEqual(events.at(-1), { level: "info", version: TWO.id, message: "The planned version is in use" });
});

test("a clock that was ahead for a moment switches only for that moment", async (t) => {
  const { store, versionOf, current, settled, advance, events } = setUp(t, { maxAgeMs: 1e9 });
  store.text = planned();
  store.versions = published;
  await current();
  await settled();
  for (let time = 0; time < 2; time += 1) {
    advance(600_000);
    assert.equal(await current(), TWO.id);
    advance(-590_000);
    assert.equal(await current(), ONE.id);
    await settled();
    const message = "The clock was set back before a planned switch: the version before is in use again";
    assert.deepEqual(events.at(-1), { level: "warn", version: ONE.id, message });
    advance(-10_000);
  }
  advance(600_000);
  assert.deepEqual([await current(), versionOf.mock.callCount()], [TWO.id, 2]);
});

test("the store says so later: nothing changes", async (t) => {
  const { store, versionOf, current, settled, advance } = setUp(t);
  store.text = planned();
  store.versions = published;
  await current();
  await settled();
  advance(600_000);
  assert.equal(await current(), TWO.id);
  await settled();
  store.text = currentText(TWO, { activatedAt: AT });
  advance(30_000);
  await current();
  await settled();
  assert.equal(await current(), TWO.id);
  assert.equal(versionOf.mock.callCount(), 2);
});

test("a plan that is taken back, replaced or moved", async (t) => {
  const { store, current, settled, advance } = setUp(t);
  store.text = planned();
  store.versions = published;
  await current();
  await settled();
  for (const [text, at, then] of [
    [currentText(ONE), 600_000, ONE.id],
    [planned({ next: { id: TWO.id, at: new Date(2_000_000).toISOString() } }), 999_999, ONE.id],
    [undefined, 1_000_000, TWO.id],
  ]) {
    if (text) store.text = text;
    advance(1_000_000 + at - 100_000 - Date.now());
    await current();
    await settled();
    advance(1_000_000 + at - Date.now());
    assert.equal(await current(), then);
    await settled();
  }
});

test("a planned version that cannot be read: the old one stays, it is told once, and tried again", async (t) => {
  const { store, current, settled, advance, told } = setUp(t);
  store.text = planned();
  for (const [text, cause] of [
    [undefined, `the key version:${TWO.id} is not there`],
    ["{", "expected JSON"],
    [JSON.stringify({ ...ONE.manifest }), `the key version:${TWO.id} holds the version ${ONE.id}`],
  ]) {
    store.versions = { [versionKey(TWO.id)]: text };
    for (let look = 0; look < 2; look += 1) {
      await current();
      await settled();
      advance(300_000);
    }
    assert.equal(await current(), ONE.id, "also when its time has come");
    await settled();
    assert.deepEqual(told().at(-1), data("error", ONE.id, `The planned version ${TWO.id} cannot be read: the version in use stays`, cause));
  }
  assert.equal(told().length, 3);
  store.versions = published;
  advance(30_000);
  await current();
  await settled();
  assert.equal(await current(), TWO.id);
});

test("a plan does not come true while `current` is refused, or gone", async (t) => {
  for (const text of [currentText(TWO, { format: 3 }), null]) {
    await t.test(`${text}`.slice(0, 20), async (t) => {
      const { store, current, settled, advance } = setUp(t);
      store.text = planned();
      store.versions = published;
      await current();
      await settled();
      store.text = text;
      advance(30_000);
      await current();
      await settled();
      advance(600_000);
      assert.equal(await current(), ONE.id);
      await settled();
      store.text = planned();
      advance(30_000);
      await current();
      await settled();
      assert.equal(await current(), TWO.id, "a mended one brings the plan back");
      t.mock.timers.reset();
    });
  }
});

test("an order waits for one limit in all, also for a planned version that is due", async (t) => {
  const { store, catalogue, current, advance } = setUp(t, { timeoutMs: 60 }, ["Date", "setTimeout"]);
  store.text = planned();
  await catalogue.version();
  advance(600_000);
  store.get.mock.mockImplementation(hanging);
  const order = current();
  let isAnswered = false;
  order.then(() => (isAnswered = true));
  await turn();
  t.mock.timers.tick(59);
  await turn();
  assert.equal(isAnswered, false);
  t.mock.timers.tick(1);
  assert.equal(await order, ONE.id);
});

test("an isolate that starts after the time waits for both, and begins with the planned version", async (t) => {
  const { store, current, advance } = setUp(t);
  store.text = planned();
  store.versions = published;
  advance(600_000);
  assert.equal(await current(), TWO.id);
});
