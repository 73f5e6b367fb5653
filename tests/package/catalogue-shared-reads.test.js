// Orders that want the same key at the same time. A read whose owner workerd has torn down never ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { shareReads } from "../../pkg/catalogue/shared-reads.js";
import { fakeTime } from "./fake-time.js";

/** Reads that the test settles, in the sequence in which they were begun. */
function setUp(timeoutMs = 5000) {
  const begun = [];
  const held = [];
  const read = shareReads(
    (keys) => {
      const reading = withResolvers();
      begun.push({ keys, answer: () => reading.resolve(new Map(keys.map((key) => [key, `text of ${key}`]))), ...reading });
      return reading.promise;
    },
    { timeoutMs, hold: (reading) => held.push(reading) },
  );
  return { read, begun, held };
}

function withResolvers() {
  const reading = {};
  reading.promise = new Promise((resolve, reject) => Object.assign(reading, { resolve, reject }));
  return reading;
}

/** Time goes on only by the function that this returns, until the test ends. */
function stopTime(t) {
  const { tick, restore } = fakeTime();
  t.after(restore);
  return async (ms) => {
    await turn();
    tick(ms);
    await turn();
  };
}

const textsOf = (...keys) => new Map(keys.map((key) => [key, `text of ${key}`]));
const askedOf = (begun) => begun.map(({ keys }) => keys);

test("each order begins a read only of the keys that no other reads", async () => {
  const { read, begun, held } = setUp();
  const answers = [read(["a", "b"]), read(["b", "c"]), read(["a", "c"]), read([])];
  assert.deepEqual(askedOf(begun), [["a", "b"], ["c"]]);
  for (const { answer } of begun) answer();
  assert.deepEqual(await Promise.all(answers), [textsOf("a", "b"), textsOf("b", "c"), textsOf("a", "c"), textsOf()]);
  await Promise.all(held);
  assert.equal(held.length, 2, "each read is held by the order that began it");
  read(["a"]);
  assert.deepEqual(askedOf(begun).at(-1), ["a"], "nothing is kept");
});

test("100 keys a read, three reads at once", async () => {
  const { read, begun } = setUp();
  const answer = read(Array.from({ length: 450 }, (_, index) => `${index}`));
  assert.deepEqual(
    askedOf(begun).map((keys) => keys.length),
    [100, 100, 100],
  );
  for (const { answer } of begun) answer();
  await turn();
  assert.deepEqual(
    askedOf(begun).map((keys) => keys.length),
    [100, 100, 100, 100, 50],
  );
  for (const { answer } of begun) answer();
  assert.equal((await answer).size, 450);
});

test("a failed read fails those who wait for it, and no later one", async () => {
  const { read, begun } = setUp();
  const answers = [read(["a"]), read(["a", "b"])];
  begun[0].reject(new Error("KV is down"));
  for (const answer of answers) await assert.rejects(answer, /KV is down/);
  const later = read(["a"]);
  begun.at(-1).answer();
  assert.deepEqual(await later, textsOf("a"));
});

test("an order waits half a second for another's read, then reads for itself; those who wait as long share that", async (t) => {
  const pass = stopTime(t);
  const { read, begun } = setUp();
  read(["a", "b"]); // its owner is torn down
  const waiting = [read(["a"]), read(["b", "a"]), read(["c", "a"])];
  begun[1].answer(); // c
  await pass(499);
  assert.equal(begun.length, 2, "they wait");
  await pass(1);
  assert.deepEqual(askedOf(begun), [["a", "b"], ["c"], ["a"], ["b"]]);
  for (const { answer } of begun.slice(2)) answer();
  assert.deepEqual(await Promise.all(waiting), [textsOf("a"), textsOf("b", "a"), textsOf("c", "a")]);
});

test("an old read is not joined, and its late end does not hide the newer one", async (t) => {
  const pass = stopTime(t);
  const { read, begun, held } = setUp();
  const first = read(["a"]);
  await pass(510);
  const second = read(["a"]);
  assert.deepEqual(askedOf(begun), [["a"], ["a"]]);
  begun[0].answer();
  await first;
  await held[0];
  const third = read(["a"]);
  assert.equal(begun.length, 2, "it joins the second");
  begun[1].answer();
  assert.deepEqual(await Promise.all([second, third]), [textsOf("a"), textsOf("a")]);
});

test("an order's own read has at least half of its time", async (t) => {
  const pass = stopTime(t);
  const { read, begun } = setUp(40);
  read(["a"]);
  read(["a"]);
  await pass(19);
  assert.equal(begun.length, 1, "it waits");
  await pass(1);
  assert.equal(begun.length, 2);
});

test("an order does not join a read again that it waited for in vain, even if the clock stands still", async (t) => {
  const pass = stopTime(t);
  t.mock.method(Date, "now", () => 0);
  const { read, begun } = setUp(40);
  read(["a"]);
  const waiting = read(["a"]);
  await pass(20);
  assert.equal(begun.length, 2);
  begun[1].answer();
  assert.deepEqual(await waiting, textsOf("a"));
});
