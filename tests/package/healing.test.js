// What happens when the module is damaged. The package under test has planted faults (src/quote/faults.rs): an order
// whose basketName names a fault breaks there.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createPricer } from "../../target/faulty-pkg/node.js";
import { createFetchHandler } from "../../target/faulty-pkg/worker.js";
import { deliveredBy, squareZones } from "../zones.js";
import { reasonOf } from "./errors.js";

const IN_FLIGHT = 50;
const ZONES = squareZones(30);
const DELIVERED = deliveredBy("REGULAR");
const ORDER = {
  productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 2 }],
  couponCodeList: ["A"],
  shipping: DELIVERED,
};
/** 2 × 10 at list price 12, delivered for 30, less 5. This needs both the options and the zones. */
const PRICED = { rowTotal: 24, deliveryFee: 30, grandTotal: 45 };

const FAULTS = ["plan", "coupon request", "write"].map((place) => `panic: ${place}`).concat("stack overflow: plan");

const later = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
const host = {
  lookupPrices: (keys) =>
    later(
      1,
      keys.map(() => ({ price: 10, originalPrice: 12 })),
    ),
  validateCoupons: ({ couponCodeList: [coupon] }) => later(1, { discounts: [{ coupon, discount: 5 }] }),
};
const makePricer = () => createPricer(host, { deliveryZones: ZONES, policy: { rowTotal: "list" } });

const shown = ({ productList: [{ rowTotal }], deliveryFee, grandTotal }) => ({ rowTotal, deliveryFee, grandTotal });

describe("a damaged instance", () => {
  // The panic hook prints each planted panic.
  const { error: print } = console;
  before(() => (console.error = () => {}));
  after(() => (console.error = print));

  for (const fault of FAULTS) {
    test(`${fault}: every calculation in flight is rejected, and the next one succeeds`, async () => {
      const [pricer, bystander] = await Promise.all([makePricer(), makePricer()]);
      const inFlight = Array.from({ length: IN_FLIGHT }, (_, index) => (index % 2 ? pricer : bystander).calculate(ORDER));
      const outcomes = inFlight.map((promise) =>
        promise.then(
          () => "priced",
          (error) => error,
        ),
      );
      const error = await reasonOf(pricer.calculate({ ...ORDER, basketName: fault }));
      assert.equal(error.code, "INTERNAL");
      assert.equal(error.message, "Internal error");
      const place = fault.split(": ")[1];
      if (fault.startsWith("panic")) assert.match(error.cause.message, new RegExp(`planted: ${place}`));
      // The very next call of both pricers.
      assert.deepEqual(shown(await pricer.calculate(ORDER)), PRICED);
      assert.deepEqual(shown(await bystander.calculate(ORDER)), PRICED);
      const settled = await Promise.all(outcomes);
      const lost = settled.filter((outcome) => outcome !== "priced");
      for (const { code } of lost) assert.equal(code, "INTERNAL");
      // An order that was priced had finished before the fault.
      assert.ok(fault.endsWith("plan") ? lost.length === IN_FLIGHT : settled.length === IN_FLIGHT);
    });
  }

  for (const fault of FAULTS.filter((fault) => !fault.endsWith("coupon request"))) {
    test(`${fault}: an order that is priced at once fails, and what is told again is known`, async () => {
      const pricer = await makePricer();
      const facts = pricer.facts({ prices: { "1/1000": { price: 10, originalPrice: 12 } } });
      const inFlight = reasonOf(pricer.calculate(ORDER));
      const order = { ...ORDER, couponCodeList: [] };
      const breaking = async () => pricer.calculateNow({ ...order, basketName: fault }, { facts });
      const { code, retryable, cause } = await reasonOf(breaking());
      assert.deepEqual([code, retryable], ["INTERNAL", true]);
      if (fault.startsWith("panic")) assert.match(cause.message, /planted: /);
      assert.equal((await inFlight).code, "INTERNAL");
      // A store's facts are old until they are told again.
      assert.throws(() => pricer.calculateNow(order, { facts }), { code: "NOT_KNOWN", notKnown: { prices: ["1/1000"] } });
      const priced = await pricer.calculate(order, { facts });
      assert.deepEqual(shown(priced), { ...PRICED, grandTotal: 50 });
      assert.deepEqual(pricer.calculateNow(order, { facts }), priced);
    });
  }

  test("zones that a function has given are loaded again without asking", async () => {
    let calls = 0;
    const deliveryZones = async () => ((calls += 1), ZONES);
    const pricer = await createPricer(host, { deliveryZones, policy: { rowTotal: "list" } });
    const broken = { ...ORDER, basketName: FAULTS[0] };
    // Before the zones are known, and after.
    for (const expected of [1, 1]) {
      assert.equal((await reasonOf(pricer.calculate(broken))).code, "INTERNAL");
      assert.deepEqual(shown(await pricer.calculate(ORDER)), PRICED);
      assert.equal(calls, expected);
    }
  });

  test("a fault while the zones are asked ends the orders that wait, and the answer counts", async () => {
    let answer;
    let calls = 0;
    const deliveryZones = () => ((calls += 1), new Promise((resolve) => (answer = resolve)));
    const pricer = await createPricer(host, { deliveryZones, policy: { rowTotal: "list" } });
    const waiting = reasonOf(pricer.calculate(ORDER));
    await reasonOf(pricer.calculate({ ...ORDER, basketName: FAULTS[0] }));
    assert.equal((await waiting).code, "INTERNAL");
    const next = pricer.calculate(ORDER);
    answer(ZONES);
    assert.deepEqual(shown(await next), PRICED);
    assert.equal(calls, 1);
  });

  test("an order whose host never answers is rejected at once, even without a deadline", async () => {
    const hanging = await createPricer({ lookupPrices: () => new Promise(() => {}) }, { deadlineMs: 0 });
    const waiting = reasonOf(hanging.calculate({ productList: ORDER.productList }));
    await reasonOf(hanging.calculate({ ...ORDER, shipping: undefined, basketName: "panic: plan" }));
    assert.equal((await waiting).code, "INTERNAL");
  });

  test("a fault in the first call of all, with nothing else in flight", async () => {
    const pricer = await makePricer();
    for (const fault of [...FAULTS, ...FAULTS]) {
      assert.equal((await reasonOf(pricer.calculate({ ...ORDER, basketName: fault }))).code, "INTERNAL");
    }
    assert.deepEqual(shown(await pricer.calculate(ORDER)), PRICED);
  });

  test("new zones survive it too", async () => {
    const pricer = await makePricer();
    pricer.setDeliveryZones(squareZones(99));
    await reasonOf(pricer.calculate({ ...ORDER, basketName: "panic: write" }));
    assert.equal((await pricer.calculate(ORDER)).deliveryFee, 99);
  });

  test("open baskets are rebuilt from their orders", async () => {
    const pricer = await makePricer();
    const basket = pricer.basket(ORDER);
    await basket.settle();
    basket.setQuantity(0, 7);
    basket.addProduct({ cprcode: 2, productName: "ข้าว", quantity: 1 });
    basket.setQuantity(1, 3);
    const { rows } = basket;
    await reasonOf(pricer.calculate({ ...ORDER, basketName: "panic: plan" }));
    assert.equal(basket.rows, rows, "it shows what it showed");
    const order = await basket.settle();
    assert.deepEqual(
      order.productList.map(({ quantity }) => quantity),
      [7, 3],
    );
    assert.deepEqual(
      basket.rows.map(({ key }) => key),
      rows.map(({ key }) => key),
    );
    assert.equal(order.grandTotal, 10 * 10 + 30 - 5);
    assert.equal(basket.totals.grandTotal, order.grandTotal);
    basket.free();
  });

  test("a problem of the lost instance is shown no more, and the same failure later is another error with its own cause", async () => {
    const causes = ["first", "second"].map((which) => Object.assign(new Error("closed"), { which }));
    const failing = await createPricer({
      lookupPrices: (keys) => keys.map(({ cprcode }) => (cprcode === 1 ? { price: 10 } : null)),
      lookupVouchers: () => Promise.reject(causes.shift()),
    });
    const basket = failing.basket({ productList: ORDER.productList, ownerId: "malee", voucherId: ["V1"] });
    const lacking = failing.basket({ productList: [{ ...ORDER.productList[0], cprcode: 2 }] });
    const first = await reasonOf(basket.settle());
    await reasonOf(lacking.settle());
    const [{ key, problem }] = lacking.rows;
    assert.equal(problem.code, "PRODUCT_PRICE_NOT_FOUND");
    await reasonOf(failing.calculate({ ...ORDER, shipping: undefined, basketName: "panic: plan" }));
    lacking.setQuantity(0, 3);
    assert.deepEqual([lacking.status, lacking.error, lacking.snapshot.problems, lacking.rows[0].problem], ["pending", null, [], null]);
    assert.equal(lacking.rows[0].key, key);
    const second = await reasonOf(basket.settle());
    assert.deepEqual(
      [first, second].map(({ code, cause }) => [code, cause.which]),
      ["first", "second"].map((which) => ["VOUCHER_LOOKUP_FAILED", which]),
    );
    assert.notEqual(second.requestId, first.requestId);
    basket.free();
    lacking.free();
  });

  test("a basket that is settling asks again, because its facts are lost", async () => {
    const pricer = await makePricer();
    const basket = pricer.basket(ORDER);
    const settling = basket.settle();
    await reasonOf(pricer.calculate({ ...ORDER, basketName: "panic: plan" }));
    assert.deepEqual(shown(await settling), PRICED);
    assert.equal(basket.status, "current");
    basket.free();
  });

  test("what a basket has asked of the lost instance is aborted, and asked again", async () => {
    const signals = [];
    const pricer = await createPricer({
      lookupPrices: (keys) =>
        later(
          1,
          keys.map(() => ({ price: 10 })),
        ),
      lookupVouchers: (_, { signal }) => (
        signals.push(signal), signals.length === 1 ? new Promise(() => {}) : [{ ownerId: "malee", value: 5, isActive: true, isUsed: false }]
      ),
    });
    const basket = pricer.basket({ productList: ORDER.productList, ownerId: "malee", voucherId: ["V1"] });
    const settling = basket.settle();
    await reasonOf(pricer.calculate({ ...ORDER, basketName: "panic: plan" }));
    assert.equal((await settling).grandTotal, 15);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    assert.equal(signals[0].reason.message, "The instance of the module was replaced");
    basket.free();
  });

  test("a fault in a basket's own edit", async () => {
    const pricer = await makePricer();
    const other = pricer.basket(ORDER);
    const basket = pricer.basket({ ...ORDER, basketName: "panic: basket" });
    const inFlight = Array.from({ length: IN_FLIGHT }, () => reasonOf(pricer.calculate(ORDER)));
    assert.throws(() => basket.setQuantity(0, 3), { code: "INTERNAL", message: "Internal error" });
    for (const error of await Promise.all(inFlight)) assert.equal(error.code, "INTERNAL");
    assert.equal(other.setQuantity(0, 4).grandTotal, 30);
    assert.equal(basket.order.productList[0].quantity, 2);
    assert.deepEqual(shown(await pricer.calculate(ORDER)), PRICED);
    basket.free();
    other.free();
  });

  test("no panic's text reaches an HTTP body", async () => {
    const handle = createFetchHandler(makePricer);
    const post = (order) =>
      handle(new Request("http://edge/calculatecost2", { method: "POST", body: JSON.stringify(order) }), {}, { waitUntil() {} });
    for (const fault of FAULTS) {
      const response = await post({ ...ORDER, basketName: fault });
      assert.equal(response.status, 500);
      assert.equal(await response.text(), '{"error":"Internal error"}');
    }
    assert.equal((await post(ORDER)).status, 200);
  });

  test("a fault inside a callback of another calculation", async () => {
    const pricer = await makePricer();
    const inner = await createPricer({
      lookupPrices: (keys) => {
        pricer.calculate({ ...ORDER, basketName: "panic: plan" }).catch(() => {});
        return keys.map(() => ({ price: 1 }));
      },
    });
    const error = await reasonOf(inner.calculate({ productList: ORDER.productList }));
    assert.equal(error.code, "INTERNAL");
    assert.deepEqual(shown(await pricer.calculate(ORDER)), PRICED);
  });
});
