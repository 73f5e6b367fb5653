// What the store of the decision log may do: fail, hang, be full, be written to by others. No order waits for it.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createDecisions } from "../../worker/src/captures/decisions.js";
import { createFirstFree } from "../../worker/src/captures/first-free.js";
import { Recording } from "../../worker/src/orders/recording.js";

const encoder = new TextEncoder();
const BODY = '{"productList":[{"cprcode":1,"productName":"x","quantity":1}]}';
const OPTIONS = { sample: 1, perDay: 100, redactKey: "k".repeat(32), input: {}, policy: {}, limits: { maxBodyBytes: 1_000_000 } };

function orderOf({ error, isKeyed = true, headers = { "x-order-cost-capture": "1" } } = {}) {
  const recording = new Recording();
  recording.body = encoder.encode(BODY);
  recording.priced = encoder.encode('{"grandTotal":1}');
  const outcome = { requestId: "r-1", route: "calculatecost4", status: error ? 500 : 200, error };
  return {
    request: new Request("https://shop.example", { method: "POST", headers }),
    outcome,
    key: isKeyed ? "0badc0de" : undefined,
    recording,
  };
}

function fakeStore() {
  const texts = new Map();
  return { texts, has: async (name) => texts.has(name), add: async (name, text) => !texts.has(name) && Boolean(texts.set(name, text)) };
}

const slotsIn = ({ texts }) => [...texts.keys()].map((name) => Number(name.split("/")[2])).sort((one, other) => one - other);

let lines;
beforeEach(() => {
  lines = [];
  mock.method(console, "log", (line) => lines.push(JSON.parse(line)));
});

test("which orders are captured, and why", () => {
  const decisions = createDecisions(fakeStore(), { ...OPTIONS, sample: 0 });
  const kindOf = (given) => decisions.kindOf(orderOf(given));
  assert.equal(kindOf(), "requested");
  assert.equal(kindOf({ isKeyed: false }), undefined);
  assert.equal(kindOf({ headers: { "x-order-cost-capture": "yes" } }), undefined);
  assert.equal(kindOf({ error: { code: "INTERNAL" } }), "failed");
  assert.equal(kindOf({ error: { code: "OVERFLOW" }, headers: {} }), "failed");
  assert.equal(kindOf({ error: { code: "VOUCHER_NOT_FOUND" } }), "requested");
  assert.equal(createDecisions(fakeStore(), OPTIONS).kindOf(orderOf({ headers: {} })), "sampled");
  assert.equal(createDecisions(fakeStore(), OPTIONS).kindOf(orderOf({ headers: {}, error: { code: "VALIDATION_ERROR" } })), undefined);
  assert.equal(decisions.kindOf({ ...orderOf({ error: { code: "INTERNAL" } }), isShadow: true }), undefined);
});

test("a store that fails, fails the capture alone, and the line has its cause", async () => {
  const store = { has: async () => false, add: () => Promise.reject(new Error("R2 is down")) };
  const { fault, name } = await createDecisions(store, OPTIONS).capture(orderOf(), "requested");
  assert.match(fault, /^Error: R2 is down/);
  assert.equal(name, undefined);
});

for (const abandonsWork of [false, true]) {
  test(`a store that hangs costs a line 5 s, and ${abandonsWork ? "a turn until 10 s have gone by" : "its turn for good"}`, async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
    let asked = 0;
    const hanging = { has: () => ((asked += 1), new Promise(() => {})) };
    const decisions = createDecisions(hanging, { ...OPTIONS, abandonsWork });
    const captures = [1, 2].map(() => decisions.capture(orderOf(), "requested"));
    for (const ms of [0, 5_000]) {
      context.mock.timers.tick(ms);
      await turn();
    }
    const late = { fault: "No answer within 5000 ms" };
    assert.deepEqual(await Promise.all(captures), [late, late]);
    context.mock.timers.tick(5_001);
    const another = decisions.capture(orderOf(), "requested");
    context.mock.timers.tick(0);
    await turn();
    assert.equal(asked, abandonsWork ? 3 : 2);
    if (!abandonsWork) assert.deepEqual(await another, { reason: "2 other captures wait" });
  });
}

test("an order that cannot be captured has a reason that says so", async () => {
  const decisions = createDecisions(fakeStore(), OPTIONS);
  const reasonOf = async (given, change = {}) => {
    const order = orderOf(given);
    Object.assign(order.recording, change);
    return (await decisions.capture(order, "requested")).reason;
  };
  const failed = (code) => ({ error: { code, message: "…" } });
  assert.equal(await reasonOf(failed("COUPON_SERVICE_FAILED")), "a look-up failed, so nothing could price it again");
  assert.equal(await reasonOf(failed("ABORTED")), "its client has gone");
  assert.equal(await reasonOf(failed("DEADLINE_EXCEEDED")), "it was not priced in time");
  assert.equal(await reasonOf(failed("LIMIT_EXCEEDED"), { body: undefined }), "its body was not read to the end");
  assert.equal(await reasonOf(failed("INVALID_JSON"), { body: undefined }), undefined);
  const facts = { prices: { "1/1000": `{"price":1,"note":"${"x".repeat(131_072)}"}` } };
  const large = orderOf();
  Object.defineProperty(large.recording, "facts", { value: facts });
  assert.deepEqual(await decisions.capture(large, "requested"), { reason: "it is too large" });
});

test("of the orders that fail for a fault of ours, one is captured every 50 ms: nobody has asked for them", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const store = fakeStore();
  const decisions = createDecisions(store, OPTIONS);
  const reasons = [];
  for (const ms of [49, 1, 50]) {
    reasons.push((await decisions.capture(orderOf({ error: { code: "OVERFLOW", message: "…" } }), "failed")).reason);
    context.mock.timers.tick(ms);
  }
  assert.equal(store.texts.size, 2);
  assert.deepEqual(reasons, [undefined, "another was captured within 50 ms", undefined]);
});

test("two captures wait, a third is dropped; once they are written, there is room", async () => {
  const store = fakeStore();
  const open = deferred();
  const decisions = createDecisions({ ...store, has: (name) => open.promise.then(() => store.has(name)) }, OPTIONS);
  const waiting = [decisions.capture(orderOf(), "requested"), decisions.capture(orderOf(), "requested")];
  assert.deepEqual(await decisions.capture(orderOf(), "requested"), { reason: "2 other captures wait" });
  assert.equal(await decisions.capture(orderOf({ headers: {} }), "sampled"), undefined);
  assert.deepEqual(lines, [
    { level: "warn", event: "decisions", message: "Orders of the sample were not captured: there were too many at once", orders: 1 },
  ]);
  open.resolve();
  assert.deepEqual((await Promise.all(waiting)).map(({ name }) => name.split("/").slice(1).join("/")).sort(), [
    "requested/0",
    "requested/1",
  ]);
  assert.ok((await decisions.capture(orderOf(), "requested")).name);
});

function deferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

test("of a sample, an order is captured every 50 ms, and one line a minute counts the others", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const store = fakeStore();
  const decisions = createDecisions(store, { ...OPTIONS, perDay: 10_000 });
  const send = async (orders) => {
    for (let order = 0; order < orders; order += 1) {
      await decisions.capture(orderOf({ headers: {} }), "sampled");
      context.mock.timers.tick(20);
    }
  };
  await send(51); // of three, one
  assert.ok(store.texts.size <= 17 && store.texts.size >= 15, `${store.texts.size}`); // two may draw one slot
  context.mock.timers.tick(60_000);
  await send(2);
  assert.deepEqual(
    lines.map(({ orders }) => orders),
    [1, 34],
  );
});

test("slots in turn: each order finds one until the day is full, also beside other writers", async () => {
  const store = fakeStore();
  const perDay = 37;
  const writers = [1, 2, 3].map(() => createDecisions(store, { ...OPTIONS, perDay }));
  const outcomes = [];
  for (let round = 0; round < 14; round += 1) {
    outcomes.push(...(await Promise.all(writers.map((decisions) => decisions.capture(orderOf(), "requested")))));
  }
  assert.equal(outcomes.filter(({ name }) => name).length, perDay);
  assert.deepEqual(new Set(outcomes.filter(({ name }) => !name).map(({ reason }) => reason)), new Set(["the day's captures are full"]));
  assert.deepEqual(
    slotsIn(store),
    Array.from({ length: perDay }, (_, slot) => slot),
  );
});

test("the first free slot, however many are taken, with few looks", async () => {
  for (const perDay of [0, 1, 2, 7, 10_000]) {
    for (const taken of [0, 1, 2, 3, 4, 6, 7, 9_999, 10_000].filter((count) => count <= perDay)) {
      let looks = 0;
      const isFree = async (name) => ((looks += 1), Number(name.split("/")[1]) >= taken);
      const firstFree = createFirstFree(isFree, perDay);
      assert.equal(await firstFree("folder"), taken < perDay ? `folder/${taken}` : undefined, `${taken} of ${perDay}`);
      assert.ok(looks <= 28, `${looks} looks`);
      looks = 0;
      await firstFree("folder");
      assert.ok(looks <= 1, `${looks} looks the second time`);
    }
  }
});

test("nothing of a capture is made before the store has answered: the client has its answer by then", async () => {
  const open = deferred();
  const order = orderOf();
  let isRead = false;
  Object.defineProperty(order.recording, "facts", { get: () => ((isRead = true), {}) });
  const store = fakeStore();
  const capture = createDecisions({ ...store, has: (name) => open.promise.then(() => store.has(name)) }, OPTIONS).capture(
    order,
    "requested",
  );
  await turn();
  assert.equal(isRead, false);
  open.resolve();
  assert.ok((await capture).name);
  assert.equal(isRead, true);
});
