// What a page tells of each coupon code: `snapshot.coupons`.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { hostFromFacts } from "order-cost/testing";
import { squareZones } from "../zones.js";
import { answerNext, FACTS, open, orderOf, product, REGULAR, slowHost } from "./basket-shop.js";

const orderWith = (...couponCodeList) => ({ ...orderOf(product()), couponCodeList });
const told = ({ coupons }) => coupons.map(({ code, state, amount }) => `${code} ${state} ${amount}`);

/** The settled basket of an order with this answer of the coupon service. */
async function answered(coupons, order, options) {
  const { basket, pricer } = await open({ order, host: hostFromFacts({ ...FACTS, coupons }), ...options });
  await basket.settle();
  return { basket, pricer };
}

test("each code with its state, amount and reason", async () => {
  const answer = {
    discounts: [
      { coupon: "A", discount: 0.1, bogoDiscount: 0.2, shippingDiscount: 5 },
      { coupon: "FREE", freeshipping: true },
    ],
    failedCoupons: ["OLD"],
    error: { OLD: "It ended in May" },
  };
  const { basket } = await answered(answer, orderWith("OLD", "A", "FREE", "A", "UNKNOWN"));
  assert.deepEqual(basket.coupons, [
    { code: "OLD", state: "refused", amount: 0, reason: "It ended in May" },
    { code: "A", state: "accepted", amount: 5.3, reason: null }, // in floats 5.300000000000001
    { code: "FREE", state: "withoutEffect", amount: 0, reason: null },
    { code: "UNKNOWN", state: "withoutEffect", amount: 0, reason: null },
  ]);
  assert.equal(basket.coupons, basket.snapshot.coupons);
  assert.ok(Object.isFrozen(basket.coupons) && Object.isFrozen(basket.coupons[0]));
});

test("D27: a code that the service spelt otherwise or added is there, after those of the order", async () => {
  const answer = {
    discounts: [
      { coupon: "SAVE10", discount: 10 },
      { coupon: "AUTO", discount: 3 },
    ],
    failedCoupons: ["Old"],
  };
  const { basket } = await answered(answer, orderWith("save10", "old"));
  assert.deepEqual(told(basket), [
    "save10 withoutEffect 0",
    "old withoutEffect 0",
    "Old refused 0",
    "SAVE10 accepted 10",
    "AUTO accepted 3",
  ]);
});

test("several discounts of one code are one entry; one that also failed counts by its amount", async () => {
  const answer = {
    discounts: [{ coupon: "A", discount: 0.1 }, { coupon: "B", discount: 1 }, { coupon: "A", shippingDiscount: 0.2 }, { coupon: "C" }],
    failedCoupons: ["B", "C"],
  };
  const { basket } = await answered(answer, orderWith("A", "B", "C"));
  assert.deepEqual(told(basket), ["A accepted 0.3", "B accepted 1", "C refused 0"]);
  const escaped = String.raw`{"discounts":[{"coupon":"A","discount":1},{"coupon":"\u0041","discount":2}]}`;
  assert.deepEqual(told((await answered(escaped, orderWith("A"))).basket), ["A accepted 3"]);
});

suite("the reason is the service's text", () => {
  const reasons = {
    "a text": ["no", "no"],
    "under the code": [{ X: "over", message: "no" }, "over"],
    "under message": [{ message: "no" }, "no"],
    "under no text": [{ X: 5, message: {} }, null],
    "in no object": [[1], null],
    "not there": [undefined, null],
  };
  for (const [name, [error, reason]] of Object.entries(reasons)) {
    test(name, async () => {
      const { basket } = await answered({ failedCoupons: ["X"], error }, orderWith("X", "A"));
      assert.deepEqual(
        basket.coupons.map((coupon) => coupon.reason),
        [reason, null],
      );
    });
  }

  test("of the newest answer, though the outcome is the same", async () => {
    const facts = { failedCoupons: ["X"], error: "one" };
    const { basket } = await answered(() => ({ ...facts }), orderWith("X"));
    facts.error = "two";
    basket.refresh();
    await basket.settle();
    assert.equal(basket.coupons[0].reason, "two");
  });
});

test("while an answer is out, each code waits, with the amount that still counts", async () => {
  const host = slowHost();
  const { basket } = await open({ order: orderWith("A", "NONE"), host });
  assert.deepEqual(told(basket), ["A waiting 0", "NONE waiting 0"]);
  const settled = basket.settle();
  await answerNext(host, "lookupPrices");
  assert.deepEqual(told(basket), ["A waiting 0", "NONE waiting 0"]);
  await answerNext(host, "validateCoupons");
  await settled;
  assert.deepEqual(told(basket), ["A accepted 10", "NONE refused 0"]);
  const before = basket.coupons;
  basket.setQuantity(0, 2);
  assert.deepEqual(told(basket), ["A waiting 10", "NONE waiting 0"]);
  assert.equal(basket.totals.cartDiscount, 10);
  basket.setQuantity(0, 1);
  assert.deepEqual(basket.coupons, before, "its answer is known");
  basket.setCoupons(["A", "B"]);
  assert.deepEqual(told(basket), ["A waiting 10", "B waiting 0"]);
  basket.setCoupons([]);
  assert.deepEqual(basket.coupons, []);
});

test("a part that has not changed is the same object", async () => {
  const { basket } = await answered(FACTS.coupons, orderWith("A", "NONE"));
  basket.setQuantity(0, 2);
  const { coupons } = basket;
  basket.setQuantity(0, 3);
  assert.equal(basket.coupons, coupons);
  basket.setCoupons(["A", "B", "NONE"]);
  assert.deepEqual([basket.coupons[0] === coupons[0], basket.coupons[2] === coupons[1]], [true, true]);
});

suite("what is not checked", () => {
  test("the service failed", async () => {
    const { basket } = await answered(FACTS.coupons, orderWith("A"));
    const { basket: failing } = await open({
      order: orderWith("A"),
      host: { ...hostFromFacts(FACTS), validateCoupons: () => Promise.reject(new Error("down")) },
    });
    await assert.rejects(failing.settle());
    assert.deepEqual(told(failing), ["A notChecked 0"]);
    assert.deepEqual(told(basket), ["A accepted 10"]);
  });

  test("another problem stands in the way", async () => {
    const { basket } = await answered(FACTS.coupons, orderWith("A"));
    basket.addProduct(product(9999));
    await assert.rejects(basket.settle(), { code: "PRODUCT_PRICE_NOT_FOUND" });
    assert.deepEqual([basket.snapshot.blocked, told(basket)], [["coupons"], ["A notChecked 10"]]);
  });

  test("an empty basket", async () => {
    const { basket } = await open({ order: { productList: [], couponCodeList: ["A"] } });
    assert.deepEqual([basket.status, told(basket)], ["current", ["A notChecked 0"]]);
  });
});

suite("the amounts are what the totals take off", () => {
  const discounts = [
    { coupon: "HALF", percentageDiscount: 0.5 },
    { coupon: "TWO", two4Discount: 4 },
    { coupon: "FREE", freeshipping: true },
    { coupon: "SHIP", shippingDiscount: 10, freeshipping: true },
    { coupon: "TENTH", percentageDiscount: 0.1, discount: 1 },
  ];
  const none = ["HALF withoutEffect 0", "TWO withoutEffect 0", "FREE withoutEffect 0", "SHIP accepted 10", "TENTH accepted 1"];
  const cases = [
    [{}, none],
    [{ foldedDiscounts: "two4" }, none.with(1, "TWO accepted 4")],
    [{ foldedDiscounts: "percentage" }, none.with(0, "HALF accepted 50")],
    [{ foldedDiscounts: "both" }, none.with(0, "HALF accepted 50").with(1, "TWO accepted 4")],
    [{ freeShipping: "waivesDelivery" }, none.with(2, "FREE accepted 30")],
  ];
  for (const [policy, expected] of cases) {
    test(JSON.stringify(policy), async () => {
      const order = { ...orderWith(...discounts.map(({ coupon }) => coupon)), shipping: REGULAR };
      const { basket } = await answered({ discounts }, order, { policy, deliveryZones: squareZones(40) });
      assert.deepEqual(told(basket), expected);
      const { cartDiscount, bogoDiscount, shippingDiscount } = basket.totals;
      const sum = basket.coupons.reduce((sum, { amount }) => sum + amount, 0);
      assert.equal(sum, cartDiscount + bogoDiscount + shippingDiscount);
    });
  }
});
