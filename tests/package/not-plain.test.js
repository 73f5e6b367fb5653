// D47: a Map and a class with getters are refused: JSON.stringify would write nothing of them, and an order of nothing is free.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createPricer, PricingError } from "order-cost";
import { checkOrder, orderSchema } from "order-cost/data";
import { hostFromFacts } from "order-cost/testing";
import { createFetchHandler } from "order-cost/worker";
import { squareZones } from "../zones.js";
import { DRY, FACTS, FULL, open, orderOf, product, REGULAR } from "./basket-shop.js";

const WHY = "expected a plain object, not a Map or a class with getters";

/** An instance of a class that keeps its fields apart, and has a getter for each. */
function withGetters(fields) {
  class Guarded {
    constructor() {
      Object.assign(this, Object.fromEntries(Object.entries(fields).map(([name, value]) => [`_${name}`, value])));
    }
  }
  for (const name of Object.keys(fields))
    Object.defineProperty(Guarded.prototype, name, {
      get() {
        return this[`_${name}`];
      },
    });
  return new Guarded();
}

const asMap = (fields) => new Map(Object.entries(fields));
const KINDS = {
  "a class with getters": withGetters,
  "a Map": asMap,
  "what inherits its fields": (fields) => Object.create(Object.create(fields)),
};

async function refusalOf(run) {
  try {
    await run();
  } catch (error) {
    assert.ok(error instanceof PricingError, `${error}`);
    assert.deepEqual([error.code, error.retryable], ["VALIDATION_ERROR", false]);
    return [error.message, error.path];
  }
  return assert.fail("it was taken");
}

const refused = (whole, path) => [`Invalid ${whole}: ${path && `${path}: `}${WHY}`, path];

for (const [name, hiding] of Object.entries(KINDS)) {
  suite(name, () => {
    const parts = {
      "": hiding(FULL),
      "productList[1]": orderOf(product(), hiding(product())),
      shipping: { ...FULL, shipping: hiding(DRY) },
      "shipping.scheduleList[1]": { ...FULL, shipping: { ...DRY, scheduleList: [{}, hiding({ mode: "REGULAR" })] } },
    };

    test("in an order", async () => {
      const { pricer, basket } = await open({ order: FULL });
      const before = basket.snapshot;
      for (const [path, order] of Object.entries(parts)) {
        assert.deepEqual(await refusalOf(() => pricer.calculate(order)), refused("order", path));
        assert.deepEqual(await refusalOf(() => pricer.explain(order)), refused("order", path));
        assert.deepEqual(await refusalOf(() => pricer.basket(order)), refused("order", path));
        assert.deepEqual(await refusalOf(() => basket.replace(order)), refused("order", path));
        assert.deepEqual(checkOrder(order), [{ path, message: WHY }]);
        const keys = path
          .split(/[.[\]]+/)
          .filter(Boolean)
          .map((key) => (/^\d/.test(key) ? Number(key) : key));
        assert.deepEqual(orderSchema["~standard"].validate(order).issues, [{ message: WHY, path: keys }]);
      }
      assert.equal(basket.snapshot, before);
    });

    test("in an edit", async () => {
      const { basket } = await open({ order: FULL });
      const before = basket.snapshot;
      for (const [path, edit] of [
        ["productList[0]", () => basket.addProduct(hiding(product()))],
        ["productList[1]", () => basket.addProducts([product(), hiding(product())])],
        ["productList[0]", () => basket.insertProduct(0, hiding(product()))],
        ["productList[0]", () => basket.updateProduct(0, hiding({ quantity: 2 }))],
        ["shipping", () => basket.setShipping(hiding(REGULAR))],
        ["", () => basket.quote(hiding({ shipping: REGULAR }))],
        ["shipping", () => basket.quote({ shipping: hiding(REGULAR) })],
      ]) {
        assert.deepEqual(await refusalOf(edit), refused("order", path), `${edit}`);
      }
      assert.equal(basket.snapshot, before);
    });

    test("in options", async () => {
      const host = hostFromFacts(FACTS);
      const { pricer, basket } = await open({ order: FULL });
      for (const [path, run] of [
        ["", () => createPricer(host, hiding({ deadlineMs: 5 }))],
        ["policy", () => createPricer(host, { policy: hiding({ rowTotal: "list" }) })],
        ["limits", () => createPricer(host, { limits: hiding({ maxProducts: 5 }) })],
        ["", () => pricer.calculate(FULL, hiding({ requestId: "r" }))],
        ["", () => pricer.basket(FULL, hiding({ autoSettle: true }))],
        ["autoSettle", () => pricer.basket(FULL, { autoSettle: hiding({ debounceMs: 5 }) })],
        ["", () => pricer.facts({}, hiding({ maxAgeMs: 5 }))],
        ["", () => basket.settle(hiding({ signal: AbortSignal.abort() }))],
        ["", () => basket.quote({}, hiding({ requestId: "r" }))],
      ]) {
        assert.deepEqual(await refusalOf(run), refused("options", path), `${run}`);
      }
      assert.throws(() => checkOrder(FULL, hiding({ limits: {} })), { message: refused("options", "")[0] });
    });

    test("in delivery zones", async () => {
      const { pricer } = await open();
      assert.deepEqual(await refusalOf(() => pricer.setDeliveryZones(hiding(squareZones(40)))), refused("deliveryZones", ""));
      assert.deepEqual(await refusalOf(() => createPricer({}, { deliveryZones: hiding(squareZones(40)) })), refused("deliveryZones", ""));
    });
  });
}

test("in place of options: a fact store, and what is no object", async () => {
  const { pricer, basket } = await open({ order: FULL });
  for (const other of [pricer.facts(), "strict", [], true, () => ({}), Symbol("options")]) {
    for (const run of [
      () => createPricer({}, other),
      () => pricer.calculate(FULL, other),
      () => pricer.calculateNow(FULL, other),
      () => pricer.basket(FULL, other),
      () => pricer.facts({}, other),
      () => basket.settle(other),
      () => basket.quote({}, other),
    ]) {
      assert.deepEqual(await refusalOf(run), refused("options", ""), `${run}`);
    }
  }
  await pricer.calculate(FULL, null);
  const totals = await Promise.all([FULL].map(pricer.calculate));
  assert.equal(totals.length, 1);
});

suite("a Map", () => {
  test("in facts", async () => {
    const { pricer } = await open();
    const prices = asMap({ "1001/1000": { price: 1 } });
    assert.deepEqual(await refusalOf(() => pricer.facts(asMap({ prices: {} }))), refused("facts", ""));
    assert.deepEqual(await refusalOf(() => pricer.facts({ prices })), refused("facts", "prices"));
    assert.deepEqual(await refusalOf(() => pricer.facts({ at: { rates: asMap({}) } })), refused("facts", "at.rates"));
    assert.throws(() => hostFromFacts({ prices }), { message: `Invalid facts: prices: ${WHY}` });
  });

  test("as the answer of the coupon service", async () => {
    const { basket } = await open({ order: FULL, host: hostFromFacts({ ...FACTS, coupons: () => asMap({ discounts: [] }) }) });
    await assert.rejects(basket.settle(), { code: "COUPON_SERVICE_FAILED", message: `Invalid answer: ${WHY}` });
  });

  test("in the options of the routes", () => {
    assert.throws(() => createFetchHandler(() => {}, asMap({ basePath: "/api" })), { message: refused("options", "")[0] });
    assert.throws(() => createFetchHandler(() => {}, { input: asMap({ calculatecost2: "lenient" }) }), {
      message: "Invalid options: input: expected an object",
    });
  });
});

test("what JSON writes is taken: own fields of a class, toJSON, another realm, no prototype", async () => {
  const { pricer } = await open();
  class Order {
    productList = [product()];
    get count() {
      return this.productList.length;
    }
  }
  class Written {
    #order = orderOf(product());
    toJSON() {
      return this.#order;
    }
  }
  const { runInNewContext } = await import("node:vm");
  const foreign = runInNewContext(`(${JSON.stringify(orderOf(product()))})`);
  for (const order of [new Order(), new Written(), foreign, Object.assign(Object.create(null), orderOf(product()))]) {
    assert.equal((await pricer.calculate(order)).grandTotal, 100);
    assert.equal(pricer.basket(order).rows.length, 1);
    assert.deepEqual(checkOrder(order), []);
  }
});
