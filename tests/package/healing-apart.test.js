// A damaged instance where one request must not end another one, as in workerd: each request notices by itself.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { keepRequestsApart } from "../../target/faulty-pkg/core/instance.js";
import { createPricer } from "../../target/faulty-pkg/node.js";
import { memoryBytes } from "../../target/faulty-pkg/wasm/order_cost.js";
import { reasonOf } from "./errors.js";

const ORDER = { productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 2 }], couponCodeList: ["A"] };
const FAULTS = ["panic: plan", "panic: coupon request", "panic: write", "stack overflow: plan"];
const IN_FLIGHT = 50;

const prices = (keys) => keys.map(() => ({ price: 10 }));
const discounts = ({ couponCodeList: [coupon] }) => ({ discounts: [{ coupon, discount: 5 }] });
const quick = { lookupPrices: prices, validateCoupons: discounts };

/** A host whose prices arrive when the test releases them. */
function held() {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  return { lookupPrices: (keys) => released.then(() => prices(keys)), validateCoupons: discounts, release };
}

// The panic hook prints each planted panic.
const { error: print } = console;
before(() => {
  console.error = () => {};
  keepRequestsApart();
});
after(() => (console.error = print));

for (const fault of FAULTS) {
  test(`${fault}: no calculation is ended from inside another one, and none goes on in the new instance`, async () => {
    const host = held();
    const [pricer, other] = await Promise.all([createPricer(host), createPricer(quick)]);
    let ended = 0;
    const inFlight = Array.from({ length: IN_FLIGHT }, async () => {
      const error = await reasonOf(pricer.calculate(ORDER));
      ended += 1;
      return error;
    });
    assert.equal((await reasonOf(other.calculate({ ...ORDER, basketName: fault }))).code, "INTERNAL");
    assert.equal((await other.calculate(ORDER)).grandTotal, 15);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(ended, 0);
    host.release();
    for (const error of await Promise.all(inFlight)) {
      assert.equal(error.code, "INTERNAL");
      if (fault.startsWith("panic")) assert.match(error.cause.message, /planted/);
    }
    assert.equal((await pricer.calculate(ORDER)).grandTotal, 15);
  });
}

test("a calculation whose host never answers ends with its deadline", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [pricer, other] = await Promise.all([createPricer(held(), { deadlineMs: 20 }), createPricer(quick)]);
  const inFlight = reasonOf(pricer.calculate(ORDER));
  await reasonOf(other.calculate({ ...ORDER, basketName: "panic: plan" }));
  t.mock.timers.tick(20);
  assert.equal((await inFlight).code, "INTERNAL");
});

test("a basket that is settling asks again when its answer arrives, because its facts are lost", async () => {
  const host = held();
  const [pricer, other] = await Promise.all([createPricer(host), createPricer(quick)]);
  const basket = pricer.basket(ORDER);
  const settling = basket.settle();
  await reasonOf(other.calculate({ ...ORDER, basketName: "panic: plan" }));
  basket.setQuantity(0, 3);
  await new Promise((resolve) => setTimeout(resolve));
  host.release();
  assert.equal((await settling).grandTotal, 25);
  basket.free();
});

test("a request that is torn down does not keep the memory of another one", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  const [pricer, other] = await Promise.all([
    createPricer({ lookupPrices: () => new Promise(() => {}) }, { deadlineMs: 0 }),
    createPricer(quick, { limits: { maxSchedules: 200_000 } }),
  ]);
  pricer.calculate(ORDER);
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  await other.calculate({ ...ORDER, shipping: { scheduleList: Array.from({ length: 200_000 }, () => ({})) } });
  assert.ok(memoryBytes() < 64 * 2 ** 20, `${memoryBytes()} bytes are kept`);
});
