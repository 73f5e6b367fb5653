// How much of a service's answer is read.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createServiceClient, serviceText } from "../../worker/src/look-ups/service-client.js";
import { Order } from "../../worker/src/orders/order.js";

const LIMIT = 1_048_576;

/** A service that answers with `bytes` bytes and then stays open, unless `isEnd`. */
function answering(bytes, { isEnd = false, cancel = () => {} } = {}) {
  const start = (controller) => {
    controller.enqueue(new Uint8Array(bytes).fill(0x31));
    if (isEnd) controller.close();
  };
  const fetch = async () => new Response(new ReadableStream({ start, cancel }));
  return createServiceClient("coupon service", { fetch }, undefined, serviceText(false));
}

const call = (signal = new AbortController().signal) => ({
  signal,
  requestId: "r1",
  context: new Order(new Request("http://shop.example")),
});

test("an answer of 1 MiB is passed on", async () => {
  assert.equal(await answering(LIMIT, { isEnd: true })({}, call()), "1".repeat(LIMIT));
});

test("of a larger answer the rest is not read, whether it lets itself be ended or not", async () => {
  for (const cancel of [() => {}, () => Promise.reject(new Error("cannot be ended"))]) {
    const ended = mock.fn(cancel);
    await assert.rejects(answering(LIMIT + 1, { cancel: ended })({}, call()), {
      message: "The coupon service answered more than 1048576 bytes",
    });
    assert.equal(ended.mock.callCount(), 1);
  }
});

test("an order that is aborted reads no further", async () => {
  const ended = mock.fn();
  const order = new AbortController();
  const answer = answering(1, { cancel: ended })({}, call(order.signal));
  setImmediate(() => order.abort(new Error("aborted")));
  await assert.rejects(answer, { message: "The coupon service could not be reached" });
  assert.equal(ended.mock.callCount(), 1);
});
