// When `current` is looked at, who waits for that, and which version is in use.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createCatalogue } from "../../worker/src/catalogue/catalogue.js";
import { currentText, makeVersion } from "./catalogue.js";

const [ONE, TWO] = await Promise.all(["1", "2"].map((price) => makeVersion({ "1/1000": `{"price":${price}}` })));
const OPTIONS = { refreshMs: 30_000, maxAgeMs: 300_000, deadlineMs: 50 };

/** A catalogue whose store and clock the test controls. A version is its id, what stands in for one the reason. */
function setUp(t, options, apis = ["Date"]) {
  t.mock.timers.enable({ apis, now: 1_000_000 });
  const log = t.mock.method(console, "log", () => {});
  const store = { text: currentText(ONE), get: mock.fn(async () => store.text) };
  const versions = { of: mock.fn(({ id }) => ({ id })), none: mock.fn((reason, detail) => ({ reason, detail })) };
  const held = [];
  const catalogue = createCatalogue(store, { ...OPTIONS, ...options, hold: (work) => held.push(work) }, versions);
  return {
    store,
    versions,
    catalogue,
    current: async () => (await catalogue.current()).id ?? (await catalogue.current()).reason,
    /** Waits for what happens behind the orders. */
    settled: () => Promise.all(held),
    /** The look that began last. */
    lastLook: () => held.at(-1),
    /** The records of the log, but for the versions that were taken up. */
    logged: () => log.mock.calls.map((call) => JSON.parse(call.arguments[0])).filter(({ level }) => level !== "info"),
    /** The versions that the log says were taken up. */
    takenUp: () => log.mock.calls.map((call) => JSON.parse(call.arguments[0])).filter(({ level }) => level === "info").map(({ dataVersion }) => dataVersion),
    advance: (ms) => t.mock.timers.setTime(Date.now() + ms),
    looks: () => store.get.mock.callCount(),
  };
}

const data = (level, dataVersion, message, cause) => ({ level, event: "data", ...(dataVersion && { dataVersion }), message, cause });

const hanging = () => new Promise(() => {});
const down = async () => {
  throw new Error("KV is down");
};

test("the first order looks; later ones find the version in memory", async (t) => {
  const { store, current, advance, looks } = setUp(t);
  assert.deepEqual(await Promise.all([current(), current()]), [ONE.id, ONE.id]);
  assert.deepEqual(store.get.mock.calls[0].arguments, ["current", { type: "text", cacheTtl: 30 }]);
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

for (const [how, get] of [["hangs", hanging], ["fails", down]]) {
  test(`a look that ${how}: the old version stays, the log says so, and the next orders do not wait`, async (t) => {
    const { store, current, logged, advance, looks } = setUp(t);
    await current();
    store.get.mock.mockImplementation(get);
    advance(300_000);
    assert.equal(await current(), ONE.id);
    const cause = get === down ? "KV is down" : "No answer within 50 ms";
    assert.deepEqual(logged(), [data("warn", ONE.id, "The price store did not answer: the version in use stays", cause)]);
    assert.equal(await current(), ONE.id);
    assert.equal(looks(), 2, "nothing waits again at once");
    store.get.mock.mockImplementation(async () => currentText(TWO));
    advance(30_000);
    assert.equal(await current(), TWO.id, "but after a while");
  });
}

test("a look that dies with its request does not prevent later ones", async (t) => {
  const { store, catalogue, current, advance, looks } = setUp(t, { refreshMs: 0, deadlineMs: 0 });
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
  const { store, versions, current, logged, advance, looks } = setUp(t);
  store.text = null;
  for (let time = 0; time < 2; time += 1) assert.equal(await current(), "No catalogue has been published yet");
  const line = data("error", undefined, "No catalogue has been published yet: no version is in use", "the key current is not there");
  assert.deepEqual(logged(), [line]);
  store.get.mock.mockImplementation(down);
  assert.equal(await current(), "The price store did not answer");
  store.get.mock.mockImplementation(hanging);
  assert.equal(await current(), "The price store did not answer");
  assert.equal(versions.none.mock.callCount(), 2, "one stand-in for each reason");
  advance(50);
  store.get.mock.mockImplementation(async () => null);
  assert.equal(await current(), "No catalogue has been published yet", "it answers again");
  assert.deepEqual(logged(), [line], "an order that fails has a line of its own");
  const before = looks();
  store.get.mock.mockImplementation(async () => currentText(ONE));
  assert.equal(await current(), ONE.id);
  assert.equal(looks(), before + 1);
});

const branch = (more) => ({ branches: { 1000: { records: 1, bytes: 9, shardCount: 2, shards: ["a", ""], ...more } } });

const REFUSED = [
  ["of an unknown format", currentText(TWO, { format: 2 }), "expected format 1, got 2"],
  ["without a format", "{}", "expected format 1, got undefined"],
  ["that is null", "null", "expected format 1, got undefined"],
  ["that is no JSON", "{", "expected JSON"],
  ["without an id", currentText(TWO, { id: undefined }), "id: expected 16 hexadecimal digits, got undefined"],
  ["without zones", currentText(TWO, { zones: undefined }), "zones: expected 32 hexadecimal digits, or null, got undefined"],
  ["without branches", currentText(TWO, { branches: undefined }), "branches: expected an object, got undefined"],
  ["that lacks a shard", currentText(TWO, branch({ shardCount: 4 })), 'branches["1000"].shards: expected a list of 4 hashes, or list in its place, got ["a",""]'],
  ["with a branch without shards", currentText(TWO, branch({ shards: undefined })), 'branches["1000"].shards: expected a list of 2 hashes, or list in its place, got undefined'],
].map(([what, text, fault]) => [what, text, "The catalogue cannot be read", `the key current is refused: ${fault}`]);

for (const [what, text, message, cause] of [
  ...REFUSED,
  ["that is not there", null, "No catalogue has been published yet", "the key current is not there"],
]) {
  test(`a manifest ${what} is refused, and logged once`, async (t) => {
    const { store, catalogue, current, settled, logged, advance, looks } = setUp(t);
    await current();
    store.text = text;
    for (let time = 0; time < 3; time += 1) {
      advance(30_000);
      assert.equal(await current(), ONE.id);
      await settled();
    }
    assert.equal(looks(), 4);
    assert.deepEqual(logged(), [data("error", ONE.id, `${message}: the version in use stays`, cause)]);
    assert.equal(catalogue.state().fault, message);
    store.text = currentText(TWO);
    advance(30_000);
    await current();
    await settled();
    assert.equal(await current(), TWO.id);
    assert.deepEqual(catalogue.state(), { version: { id: TWO.id }, fault: undefined });
  });
}

test("a refused manifest without a version before", async (t) => {
  const { store, current } = setUp(t);
  store.text = currentText(ONE, { format: 2 });
  assert.equal(await current(), "The catalogue cannot be read");
});

test("an unchanged version keeps its pricer, whatever else `current` says, and is logged once", async (t) => {
  const { store, versions, current, settled, advance, takenUp } = setUp(t);
  await current();
  store.text = currentText(ONE, { activatedAt: "2026-11-24T09:00:00.000Z" });
  advance(30_000);
  await current();
  await settled();
  assert.equal(await current(), ONE.id);
  assert.equal(versions.of.mock.callCount(), 1);
  assert.deepEqual(takenUp(), [ONE.id]);
});

test("a version that was in use before `current` was refused is logged again, with the pricer that it had", async (t) => {
  const { store, versions, current, settled, advance, takenUp } = setUp(t);
  await current();
  for (const text of ["{", currentText(ONE)]) {
    store.text = text;
    advance(30_000);
    await current();
    await settled();
  }
  assert.equal(versions.of.mock.callCount(), 1);
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
  const { store, current, advance } = setUp(t, { deadlineMs: 0 }, ["Date", "setTimeout"]);
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
  const { store, current, logged, advance } = setUp(t);
  await current();
  advance(300_000);
  store.get.mock.mockImplementation(down);
  await Promise.all(Array.from({ length: 50 }, current));
  assert.equal(logged().length, 1);
});

test("a version that is taken up is logged", async (t) => {
  const { store, current, advance } = setUp(t, { maxAgeMs: 1000 });
  await current();
  store.text = currentText(TWO);
  advance(1000);
  await current();
  const lines = console.log.mock.calls.map((call) => JSON.parse(call.arguments[0]));
  const taken = (id) => ({ level: "info", event: "data", dataVersion: id, message: "The version is in use" });
  assert.deepEqual(lines, [taken(ONE.id), taken(TWO.id)]);
});
