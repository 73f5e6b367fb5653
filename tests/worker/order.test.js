// An order on its way: what it says that it waits for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Order } from "../../worker/src/orders/order.js";

test("an order waits for what has been asked and not yet answered, each once", async () => {
  const order = new Order(new Request("http://shop.example"));
  const answers = ["prices", "rates", "rates", "vouchers"].map((what) => {
    const { promise, resolve } = deferred();
    return { resolve, passed: order.waitFor(what, promise) };
  });
  assert.deepEqual(order.open, ["the body", "prices", "rates", "vouchers"]);
  order.arrived();
  assert.deepEqual(order.open, ["prices", "rates", "vouchers"]);
  for (const [index, left] of [
    [2, "prices,rates,vouchers"],
    [1, "prices,vouchers"],
    [0, "vouchers"],
    [3, ""],
  ]) {
    answers[index].resolve(index);
    assert.equal(await answers[index].passed, index);
    assert.equal(order.open.join(), left);
  }
});

test("an answer at hand, and one that failed, are not waited for", async () => {
  const order = new Order(new Request("http://shop.example"));
  order.arrived();
  assert.equal(order.waitFor("prices", "at hand"), "at hand");
  await assert.rejects(order.waitFor("prices", Promise.reject(new Error("down"))), /down/);
  assert.deepEqual(order.open, []);
});

test("a look-up that ends because the order does was waited for until then", async () => {
  const order = new Order(new Request("http://shop.example"));
  order.arrived();
  const deadline = new AbortController();
  const { promise, reject } = deferred();
  const answer = order.waitFor("coupons", promise, deadline.signal);
  deadline.abort();
  reject(new Error("aborted"));
  await assert.rejects(answer, /aborted/);
  assert.deepEqual(order.open, ["coupons"]);
});

function deferred() {
  let resolve, reject;
  const promise = new Promise((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}
