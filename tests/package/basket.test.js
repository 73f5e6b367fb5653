// The live basket of the built package: one test for each behaviour in API.md.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { inspect } from "node:util";
import { createPricer, PricingError } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { initSync } from "../../pkg/wasm/order_cost.js";

const PRICES = { 1001: { price: 100, weight: 0.5 }, 1002: { price: 30, isControlledProduct: true }, 1003: { price: 7.25 } };
const RATES = { DRY: { deliveryFee: 60 }, FRESH: { deliveryFee: 90, nationwideConfig: "cold" } };
const VOUCHERS = {
  V1: { ownerId: "malee", value: 50, isActive: true, isUsed: false },
  V2: { ownerId: "somchai", value: 20, isActive: true, isUsed: false },
};
const GRANTS = { A: { discount: 10 }, B: { discount: 5, lines: [{ line: 0, discount: 5 }] }, SHIP: { freeshipping: true, shippingDiscount: 60 } };
const FACTS = {
  prices: PRICES,
  rates: RATES,
  vouchers: VOUCHERS,
  coupons: ({ couponCodeList }) => ({
    discounts: couponCodeList.filter((code) => GRANTS[code]).map((coupon) => ({ coupon, ...GRANTS[coupon] })),
    failedCoupons: couponCodeList.filter((code) => !GRANTS[code]),
  }),
};
const NOTHING = Object.fromEntries(
  (
    "subTotal grandTotal totalExcludeControlledProducts totalWeight deliveryFee discountedDeliveryFee expressShippingCost " +
    "shippingFee shippingPrice cartDiscount bogoDiscount two4Discount percentageDiscount shippingDiscount voucherDiscount totalDiscount"
  )
    .split(" ")
    .map((name) => [name, 0])
    .concat([["isFreeShipping", false]]),
);
const ZONES = (deliveryFee, brcode = 1000) => ({
  type: "FeatureCollection",
  features: [
    {
      type: "Feature",
      properties: { brcode, deliveryFee },
      geometry: { type: "Polygon", coordinates: [[[100, 13], [101, 13], [101, 14], [100, 14], [100, 13]]] },
    },
  ],
});
const REGULAR = { shippingType: "DELIVERY", shippingLon: 100.5, shippingLat: 13.5, scheduleList: [{ mode: "REGULAR" }] };
const DRY = { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE", nationwideMode: "DRY" }] };

const product = (cprcode = 1001, quantity = 1, rest = {}) => ({ cprcode, productName: `p${cprcode}`, quantity, ...rest });
const orderOf = (...products) => ({ productList: products });

/** A pricer with FACTS, or with replacements. */
async function open({ order, host = hostFromFacts(FACTS), ...options } = {}) {
  const pricer = await createPricer(host, options);
  return { host, pricer, basket: pricer.basket(order) };
}

/** A host whose look-ups wait until the test answers them. `asked[name]` lists the waiting calls. */
function slowHost(facts = FACTS) {
  const known = hostFromFacts(facts);
  const asked = { lookupPrices: [], nationwideRate: [], validateCoupons: [], lookupVouchers: [] };
  const host = { calls: known.calls, asked };
  for (const [name, waiting] of Object.entries(asked)) {
    host[name] = (argument, context) =>
      new Promise((resolve, reject) => {
        const answer = () => Promise.resolve(argument).then((one) => known[name](one)).then(resolve, reject);
        waiting.push({ argument, context, answer, resolve, reject });
      });
  }
  return host;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function answerNext(host, name) {
  host.asked[name].shift().answer();
  await turn();
}

function callsOf(host) {
  return host.calls.splice(0).map(({ name, argument }) => [name, name === "validateCoupons" ? argument.couponCodeList : argument]);
}

async function errorOf(promise) {
  const error = await promise.then(
    () => assert.fail("it was settled"),
    (thrown) => thrown,
  );
  assert.ok(error instanceof PricingError, `${error?.stack ?? error}`);
  return error;
}

function thrown(run) {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof PricingError, `${error?.stack ?? error}`);
    return error;
  }
  return assert.fail("nothing was thrown");
}

const shown = (basket) => structuredClone({
  order: basket.order,
  totals: basket.totals,
  rows: basket.rows,
  status: basket.status,
  pending: basket.pending,
});

/** The basket is current and equals the result of `calculate`. */
async function assertCurrent(basket, pricer) {
  assert.deepEqual([basket.status, basket.pending, basket.error], ["current", [], null]);
  const priced = await pricer.calculate(basket.order);
  for (const [name, value] of Object.entries(basket.totals)) assert.equal(value, priced[name], name);
  assert.deepEqual(basket.rows, priced.productList);
  return priced;
}

suite("known facts", () => {
  test("an empty basket is current and 0; settle() fails as calculate does", async () => {
    const { basket, pricer, host } = await open();
    assert.deepEqual(shown(basket), { order: { productList: [] }, totals: NOTHING, rows: [], status: "current", pending: [] });
    const order = { productList: [] };
    for (const settled of [basket.settle(), pricer.calculate(order)]) {
      const { message, code, path } = await errorOf(settled);
      assert.deepEqual([message, code, path], ["Invalid order: productList: expected at least one product", "VALIDATION_ERROR", "productList"]);
    }
    assert.equal(basket.status, "failed");
    assert.deepEqual(callsOf(host), []);
  });

  test("an emptied basket costs nothing, whatever else it has", async () => {
    const { basket, pricer } = await open({ order: { ...orderOf(product()), shipping: DRY, couponCodeList: ["A"], voucherId: ["V1"], ownerId: "malee" } });
    await basket.settle();
    assert.equal(basket.totals.grandTotal, 100);
    assert.deepEqual(basket.removeProduct(0), NOTHING);
    assert.deepEqual([basket.status, basket.pending], ["current", []]);
    basket.addProduct(product(1001));
    assert.equal(basket.status, "current", "the same request as before");
    await assertCurrent(basket, pricer);
  });

  test("half known: a price that is not known yet is null and counts 0", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1001, 2)) });
    assert.equal(basket.rows[0].price, null);
    assert.deepEqual(basket.totals, NOTHING);
    assert.deepEqual([basket.status, basket.pending], ["pending", ["prices"]]);
    await basket.settle();
    assert.equal(basket.addProduct(product(1002, 3)).subTotal, 200);
    const [known, unknown] = basket.rows;
    assert.equal(known.rowTotal, 200);
    assert.deepEqual(unknown, { ...product(1002, 3), scheduleId: 0, isPreOrder: false, remark: "", branchId: "1000", originalPrice: null, price: null, rowTotal: 0, discountedRowTotal: 0, settlementPrice: 0, weight: 0, isControlledProduct: false });
    assert.deepEqual(basket.pending, ["prices"]);
    await basket.settle();
    assert.equal(basket.totals.subTotal, 290);
    await assertCurrent(basket, pricer);
  });

  test("no price at the branch: settle() fails as calculate does, and the totals still follow edits", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1001, 2), product(9999)) });
    for (const settled of [basket.settle(), pricer.calculate(basket.order)]) {
      const { message, code } = await errorOf(settled);
      assert.deepEqual([message, code], ["No price for 9999/1000", "PRODUCT_PRICE_NOT_FOUND"]);
    }
    assert.deepEqual([basket.status, basket.pending, basket.totals.subTotal], ["failed", ["prices"], 200]);
    assert.equal(basket.setQuantity(0, 3).subTotal, 300);
    assert.deepEqual([basket.status, basket.error], ["pending", null]);
    basket.removeProduct(1);
    await assertCurrent(basket, pricer);
  });

  test("known facts are not asked again, \"not found\" is, and after refresh() everything is", async () => {
    const { basket, host } = await open({ order: { ...orderOf(product(1001)), shipping: DRY, voucherId: ["V1"], ownerId: "malee", couponCodeList: ["A"] } });
    await basket.settle();
    assert.equal(callsOf(host).length, 4);
    await basket.settle();
    assert.deepEqual(callsOf(host), [], "nothing is unknown");
    basket.addProduct(product(9999));
    await errorOf(basket.settle());
    await errorOf(basket.settle());
    const again = ["lookupPrices", [{ cprcode: 9999, branchId: "1000" }]];
    assert.deepEqual(callsOf(host), [again, again]);
    basket.removeProduct(1);
    basket.addProduct(product(1002));
    basket.setShipping({ ...DRY, scheduleList: [{ nationwideMode: "DRY" }, { nationwideMode: "FRESH" }] });
    basket.setVouchers(["V1", "V2", "V2"]);
    await basket.settle();
    assert.deepEqual(callsOf(host), [
      ["lookupPrices", [{ cprcode: 1002, branchId: "1000" }]],
      ["nationwideRate", { shippingPostcode: "10110", nationwideMode: "FRESH" }],
      ["lookupVouchers", ["V2"]],
      ["validateCoupons", ["A"]],
    ]);
    basket.refresh();
    assert.deepEqual(basket.pending, ["prices", "delivery", "coupons", "vouchers"]);
    await basket.settle();
    assert.equal(callsOf(host).length, 5);
  });

  test("facts belong to their branch, postcode and mode", async () => {
    const prices = { "1001/1000": { price: 1 }, "1001/2000": { price: 2 } };
    const { basket, pricer, host } = await open({ order: { ...orderOf(product()), shipping: DRY }, host: hostFromFacts({ ...FACTS, prices }) });
    await basket.settle();
    assert.equal(basket.setBranch("2000").subTotal, 0);
    assert.deepEqual(basket.pending, ["prices"]);
    await basket.settle();
    assert.equal(basket.totals.subTotal, 2);
    assert.equal(basket.setBranch("1000").subTotal, 1);
    await assertCurrent(basket, pricer);
    basket.setShipping({ ...DRY, shippingPostcode: "50000" });
    assert.deepEqual(basket.pending, ["delivery"]);
    callsOf(host);
    await basket.settle();
    assert.deepEqual(callsOf(host), [["nationwideRate", { shippingPostcode: "50000", nationwideMode: "DRY" }]]);
  });

  test("only settle() calls the host", async () => {
    const { basket, host } = await open();
    basket.addProduct(product());
    basket.setQuantity(0, 2);
    basket.setShipping(DRY);
    basket.setCoupons(["A"]);
    basket.setVouchers(["V1"]);
    basket.setOwner("malee");
    basket.setBranch("2000");
    basket.refresh();
    void [basket.order, basket.totals, basket.rows, basket.status, basket.pending, basket.error];
    assert.deepEqual(callsOf(host), []);
  });
});

suite("vouchers", () => {
  test("a new owner is checked without a look-up", async () => {
    const { basket, pricer, host } = await open({ order: { ...orderOf(product()), voucherId: ["V1", "V1", "V2"], ownerId: "malee" } });
    await basket.settle();
    assert.equal(basket.totals.voucherDiscount, 50);
    callsOf(host);
    assert.equal(basket.setOwner("somchai").voucherDiscount, 20);
    await assertCurrent(basket, pricer);
    assert.equal(basket.setOwner("").voucherDiscount, 0);
    assert.equal(basket.setVouchers(["V2"]).voucherDiscount, 0);
    assert.equal(basket.setOwner("somchai").voucherDiscount, 20);
    await assertCurrent(basket, pricer);
  });

  test("not found fails settle() as calculate does", async () => {
    const { basket, pricer } = await open({ order: { ...orderOf(product()), voucherId: ["V9"] } });
    assert.equal((await errorOf(basket.settle())).message, "Voucher V9 not found");
    assert.equal((await errorOf(pricer.calculate(basket.order))).message, "Voucher V9 not found");
    assert.deepEqual([basket.status, basket.pending, basket.totals.subTotal], ["failed", ["vouchers"], 100]);
  });
});

suite("D25: coupons count for the request that they answered", () => {
  const couponOrder = { ...orderOf(product(1001, 2), product(1002)), couponCodeList: ["A", "B"] };

  test("the amounts of listed codes still count, those of removed codes do not", async () => {
    const { basket, pricer } = await open({ order: couponOrder });
    await basket.settle();
    assert.deepEqual([basket.totals.cartDiscount, basket.rows[0].discountedRowTotal], [15, 195]);
    await assertCurrent(basket, pricer);
    assert.equal(basket.setQuantity(0, 3).cartDiscount, 15);
    assert.equal(basket.rows[0].discountedRowTotal, 295);
    assert.deepEqual([basket.status, basket.pending], ["pending", ["coupons"]]);
    assert.equal(basket.setCoupons(["A", "NEW"]).cartDiscount, 10);
    assert.equal(basket.rows[0].discountedRowTotal, 300);
    assert.equal(basket.setCoupons(["B"]).cartDiscount, 5);
    assert.equal(basket.setCoupons([]).cartDiscount, 0);
    await assertCurrent(basket, pricer);
    assert.equal(basket.setCoupons(["B", "A"]).cartDiscount, 15);
    assert.deepEqual(basket.pending, ["coupons"], "another order of the codes is another request");
  });

  test("a request that is changed back is current without a call", async () => {
    const { basket, pricer, host } = await open({ order: couponOrder });
    await basket.settle();
    callsOf(host);
    for (const [change, back] of [
      [() => basket.setQuantity(0, 9), () => basket.setQuantity(0, 2)],
      [() => basket.setCoupons([]), () => basket.setCoupons(["A", "B", "A"])],
      [() => basket.setOwner("malee"), () => basket.setOwner("")],
      [() => basket.setBranch("1015"), () => basket.setBranch("1000")],
      [() => basket.addProduct(product(1002)), () => basket.removeProduct(2)],
    ]) {
      change();
      assert.equal(basket.status, basket.order.couponCodeList.length ? "pending" : "current");
      back();
      await assertCurrent(basket, pricer);
      callsOf(host);
    }
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
  });

  test("a product that was removed and added again matches the request", async () => {
    const { basket, pricer, host } = await open({ order: couponOrder });
    await basket.settle();
    for (const again of [
      () => [basket.removeProduct(1), basket.removeProduct(0), basket.addProduct(product(1001, 2)), basket.addProduct(product(1002))],
      () => [basket.addProduct(product(1001, 1)), basket.addProduct(product(1002)), basket.removeProduct(0), basket.removeProduct(0), basket.setQuantity(0, 2)],
    ]) {
      again();
      assert.equal(basket.rows[0].discountedRowTotal, 195);
      await assertCurrent(basket, pricer);
    }
    callsOf(host);
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
  });

  test("vouchers are not part of the request", async () => {
    const { basket } = await open({ order: couponOrder });
    await basket.settle();
    basket.setVouchers(["V1"]);
    assert.deepEqual(basket.pending, ["vouchers"]);
  });

  test("lines follow their products, and go with them", async () => {
    const coupons = { discounts: [{ coupon: "A", discount: 12, lines: [{ line: 1, discount: 12 }] }], lines: [{ line: 2, discount: 1 }] };
    const order = { ...orderOf(product(1001), product(1002), product(1003)), couponCodeList: ["A"] };
    const { basket } = await open({ order, host: hostFromFacts({ ...FACTS, coupons }) });
    await basket.settle();
    const discounted = () => basket.rows.map((row) => row.discountedRowTotal);
    assert.deepEqual(discounted(), [100, 18, 6.25]);
    basket.removeProduct(0);
    assert.deepEqual(discounted(), [18, 6.25]);
    basket.addProduct(product(1001));
    assert.deepEqual(discounted(), [18, 6.25, 100]);
    basket.removeProduct(0);
    assert.deepEqual(discounted(), [6.25, 100]);
    assert.equal(basket.totals.cartDiscount, 12, "its code is still listed");
    basket.addProduct(product(1002));
    assert.deepEqual(discounted(), [6.25, 100, 30], "another product, though of the same code");
  });

  test("an answer to an older basket applies to the products that the coupon service saw", async () => {
    const host = slowHost({ ...FACTS, coupons: { discounts: [{ coupon: "A", discount: 12, lines: [{ line: 1, discount: 12 }] }] } });
    const { basket } = await open({ order: { ...orderOf(product(1001), product(1002)), couponCodeList: ["A"] }, host });
    const settled = basket.settle();
    await answerNext(host, "lookupPrices");
    basket.removeProduct(0);
    basket.addProduct(product(1001));
    await answerNext(host, "validateCoupons");
    assert.deepEqual(basket.rows.map((row) => row.discountedRowTotal), [18, 100]);
    assert.deepEqual([basket.status, basket.pending], ["pending", ["coupons"]]);
    await answerNext(host, "validateCoupons");
    assert.deepEqual((await settled).productList.map((row) => row.discountedRowTotal), [30, 88], "its word on the new order");
  });

  test("discounts that the service renamed or added end with the first removed code", async () => {
    const coupons = { discounts: [{ coupon: "auto", discount: 3 }, { coupon: "a", discount: 4 }, { coupon: "B", discount: 5 }] };
    const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A", "B"] }, host: hostFromFacts({ ...FACTS, coupons }) });
    await basket.settle();
    assert.equal(basket.setCoupons(["A", "B", "C"]).cartDiscount, 12, "one more takes nothing out");
    assert.equal(basket.setCoupons(["B"]).cartDiscount, 5, "a may be what the service calls A");
    assert.equal(basket.setCoupons(["B", "a"]).cartDiscount, 5, "a was never asked");
    assert.equal(basket.setCoupons(["a"]).cartDiscount, 0);
    assert.equal(basket.setCoupons([]).cartDiscount, 0);
    assert.equal(basket.setCoupons(["B", "A"]).cartDiscount, 12, "both are listed again");
  });

  test("coupons wait for prices and delivery", async () => {
    const { basket } = await open({ order: { ...couponOrder, shipping: DRY } });
    assert.deepEqual(basket.pending, ["prices", "delivery", "coupons"]);
    await basket.settle();
    basket.addProduct(product(1003));
    assert.deepEqual(basket.pending, ["prices", "coupons"]);
  });
});

suite("answers and edits at once", () => {
  test("an answer to an older basket is kept for its key and not applied to the wrong line", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product(1001), product(1002)), host });
    const settled = basket.settle();
    basket.removeProduct(0);
    basket.addProduct(product(1003));
    await answerNext(host, "lookupPrices");
    assert.deepEqual(basket.rows.map(({ cprcode, price }) => [cprcode, price]), [[1002, 30], [1003, null]]);
    assert.deepEqual(host.asked.lookupPrices[0].argument, [{ cprcode: 1003, branchId: "1000" }]);
    await answerNext(host, "lookupPrices");
    assert.equal((await settled).subTotal, 37.25);
    basket.addProduct(product(1001));
    assert.equal(basket.totals.subTotal, 137.25, "the answer for a line that had gone");
    await assertCurrent(basket, await createPricer(hostFromFacts(FACTS)));
  });

  test("an answer from before refresh() is dropped", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const settled = basket.settle();
    basket.refresh();
    host.asked.lookupPrices.shift().resolve([{ price: 1 }]);
    await turn();
    assert.equal(basket.totals.subTotal, 0);
    assert.equal(basket.status, "pending");
    await answerNext(host, "lookupPrices");
    assert.equal((await settled).subTotal, 100);
    assert.equal(basket.totals.subTotal, 100);
  });

  test("the price of the other branch arrives late", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const settled = basket.settle();
    basket.setBranch("1015");
    host.asked.lookupPrices.shift().resolve([{ price: 1 }]);
    await turn();
    assert.equal(basket.totals.subTotal, 0);
    host.asked.lookupPrices.shift().resolve([{ price: 15 }]);
    assert.equal((await settled).subTotal, 15);
    assert.equal(basket.setBranch("1000").subTotal, 1);
  });

  test("a change during settle() makes another round, and every waiting promise gives the newest basket", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host });
    const first = basket.settle();
    basket.addProduct(product(1002));
    const second = basket.settle();
    await answerNext(host, "lookupPrices");
    basket.setQuantity(0, 4);
    const third = basket.settle();
    await answerNext(host, "lookupPrices");
    const all = await Promise.all([first, second, third]);
    assert.deepEqual(all.map(({ subTotal }) => subTotal), [430, 430, 430]);
    assert.equal(host.asked.lookupPrices.length, 0);
  });

  test("a failure of an older basket is not a failure of the newer one", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product(9999)), host });
    const settled = basket.settle();
    basket.removeProduct(0);
    basket.addProduct(product(1001));
    await answerNext(host, "lookupPrices");
    assert.equal(basket.error, null);
    await answerNext(host, "lookupPrices");
    assert.equal((await settled).subTotal, 100);
  });

  test("a listener can fix the basket after a failure and settle it again", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1001), product(9999)) });
    let again;
    basket.addEventListener("change", () => {
      if (basket.status !== "failed") return;
      basket.removeProduct(1);
      again = basket.settle();
    });
    await errorOf(basket.settle());
    await turn();
    assert.equal((await again).productList.length, 1);
    await assertCurrent(basket, pricer);
  });

  test("zones are replaced while a basket is open", async () => {
    const host = slowHost();
    const { basket, pricer } = await open({ order: { ...orderOf(product()), shipping: REGULAR, couponCodeList: ["A"] }, host, deliveryZones: ZONES(40) });
    const settled = basket.settle();
    assert.equal(basket.totals.deliveryFee, 40);
    pricer.setDeliveryZones(ZONES(55));
    assert.equal(basket.totals.deliveryFee, 55);
    await answerNext(host, "lookupPrices");
    pricer.setDeliveryZones(ZONES(70));
    await answerNext(host, "validateCoupons");
    await answerNext(host, "validateCoupons");
    assert.equal((await settled).deliveryFee, 70);
    assert.equal(thrown(() => pricer.setDeliveryZones(ZONES(-1))).code, "VALIDATION_ERROR");
    assert.equal(basket.totals.deliveryFee, 70);
    assert.equal(basket.status, "current");
    pricer.setDeliveryZones(ZONES(70, 7));
    assert.deepEqual([basket.totals.deliveryFee, basket.pending], [0, ["delivery", "coupons"]]);
    assert.equal((await errorOf(basket.settle())).message, "Branch 1000 is not available");
  });
});

suite("failures", () => {
  for (const [what, fail] of Object.entries({
    throws: () => {
      throw new RangeError("closed");
    },
    rejects: async () => {
      throw new RangeError("closed");
    },
  })) {
    test(`a look-up that ${what}: the totals stay, and the next settle() tries again`, async () => {
      const known = hostFromFacts(FACTS);
      const host = { ...known };
      const { basket, pricer } = await open({ order: { ...orderOf(product()), shipping: DRY }, host });
      await basket.settle();
      host.nationwideRate = fail;
      basket.setShipping({ ...DRY, shippingPostcode: "1" });
      const error = await errorOf(basket.settle());
      assert.deepEqual([error.message, error.code, error.retryable, error.cause instanceof RangeError], ["closed", "NATIONWIDE_RATE_FAILED", true, true]);
      assert.equal(basket.error, error);
      assert.deepEqual([basket.status, basket.totals.subTotal, basket.totals.deliveryFee], ["failed", 100, 0]);
      host.nationwideRate = known.nationwideRate;
      const settled = basket.settle();
      assert.equal(basket.error, null);
      assert.equal((await settled).deliveryFee, 60);
      await assertCurrent(basket, pricer);
    });
  }

  test("late: each round has its own deadline", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host, deadlineMs: 20 });
    const error = await errorOf(basket.settle());
    assert.deepEqual([error.code, error.message], ["PRICE_LOOKUP_FAILED", "lookupPrices did not answer within 20 ms"]);
    await answerNext(host, "lookupPrices");
    assert.deepEqual([basket.status, basket.totals.subTotal], ["failed", 0], "a late answer is dropped");
    const settled = basket.settle();
    await answerNext(host, "lookupPrices");
    assert.equal((await settled).subTotal, 100);
  });

  test("a coupon answer that is refused is not kept", async () => {
    let answer = { discounts: [{ coupon: "A", discount: -1 }] };
    const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] }, host: hostFromFacts({ ...FACTS, coupons: () => answer }) });
    assert.equal((await errorOf(basket.settle())).code, "COUPON_SERVICE_FAILED");
    assert.deepEqual([basket.pending, basket.totals.cartDiscount, basket.totals.subTotal], [["coupons"], 0, 100]);
    answer = { discounts: [{ coupon: "A", discount: 1 }] };
    assert.equal((await basket.settle()).cartDiscount, 1);
  });

  test("a malformed record is not kept, the good ones beside it are", async () => {
    const prices = { 1001: { price: 100 }, 1002: { price: -1 } };
    const { basket, host } = await open({ order: orderOf(product(1001), product(1002)), host: hostFromFacts({ prices }) });
    const error = await errorOf(basket.settle());
    assert.equal(error.message, "Invalid answer from lookupPrices: 1002/1000: price: expected an amount of 0 or more");
    assert.equal(basket.totals.subTotal, 100);
    callsOf(host);
    prices[1002] = { price: 2 };
    assert.equal((await basket.settle()).subTotal, 102);
    assert.deepEqual(callsOf(host), [["lookupPrices", [{ cprcode: 1002, branchId: "1000" }]]]);
  });

  test("D19: an overflow keeps the last good totals, is not current, and ends with another edit", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(1), product(1001)), host: hostFromFacts({ prices: { ...PRICES, 1: { price: 7e27 } } }) });
    await basket.settle();
    const good = basket.totals;
    const message = "Overflow: productList[0].rowTotal is too large";
    assert.deepEqual(basket.setQuantity(0, 1000), good);
    assert.deepEqual([basket.status, basket.error.code, basket.error.message], ["failed", "OVERFLOW", message]);
    const settled = basket.settle();
    assert.notEqual(basket.status, "current", "while somebody waits to hear of it");
    assert.equal((await errorOf(settled)).message, message);
    assert.equal((await errorOf(pricer.calculate(basket.order))).message, message);
    basket.setQuantity(1, 5);
    assert.equal(basket.error.message, message);
    assert.equal(basket.setQuantity(0, 0).subTotal, 500);
    await assertCurrent(basket, pricer);
    basket.setQuantity(0, 12);
    assert.equal(basket.error.message, message);
    basket.removeProduct(0);
    await assertCurrent(basket, pricer);
  });

  test("D19: an overflow that an answer brings is never current", async () => {
    for (const couponCodeList of [[], ["A"]]) {
      const host = slowHost({ ...FACTS, prices: { 1: { price: 7e27 } } });
      const { basket } = await open({ order: { ...orderOf(product(1, 1000)), couponCodeList }, host });
      const seen = [];
      basket.addEventListener("change", () => seen.push(basket.status));
      const settled = errorOf(basket.settle());
      await answerNext(host, "lookupPrices");
      assert.equal((await settled).code, "OVERFLOW");
      await turn();
      assert.deepEqual([basket.status, basket.error.code], ["failed", "OVERFLOW"]);
      assert.equal(seen.includes("current"), false, `${seen}`);
      const again = errorOf(basket.settle());
      assert.notEqual(basket.status, "current");
      await again;
    }
  });

  test("a host that changes the basket in every call", async () => {
    let basket;
    const host = { lookupPrices: async (keys) => (basket.refresh(), keys.map(() => ({ price: 1 }))) };
    ({ basket } = await open({ order: orderOf(product()), host }));
    const { code, retryable } = await errorOf(basket.settle());
    assert.deepEqual([code, retryable, basket.status], ["INTERNAL", true, "failed"]);
  });
});

suite("freed", () => {
  const uses = {
    order: (basket) => basket.order,
    totals: (basket) => basket.totals,
    rows: (basket) => basket.rows,
    status: (basket) => basket.status,
    pending: (basket) => basket.pending,
    error: (basket) => basket.error,
    setQuantity: (basket) => basket.setQuantity(0, 1),
    addProduct: (basket) => basket.addProduct(product()),
    removeProduct: (basket) => basket.removeProduct(0),
    setShipping: (basket) => basket.setShipping(null),
    setCoupons: (basket) => basket.setCoupons([]),
    setVouchers: (basket) => basket.setVouchers([]),
    setOwner: (basket) => basket.setOwner(""),
    setBranch: (basket) => basket.setBranch(""),
    refresh: (basket) => basket.refresh(),
  };
  const message = "The basket was freed: make another one with pricer.basket()";

  test("everything throws a clear error, also after a failure; another free() does nothing", async () => {
    const { basket, pricer } = await open({ order: orderOf(product(9999)) });
    await errorOf(basket.settle());
    basket.free();
    basket.free();
    const said = ({ code, path, message }) => ({ code, path, message });
    const freed = { code: "VALIDATION_ERROR", path: "basket", message };
    for (const [name, use] of Object.entries(uses)) assert.deepEqual(said(thrown(() => use(basket))), freed, name);
    assert.deepEqual(said(await errorOf(basket.settle())), freed);
    pricer.setDeliveryZones(ZONES(1));
    assert.equal((await pricer.calculate(orderOf(product()))).subTotal, 100, "the pricer goes on");
  });

  test("using", async () => {
    const { basket } = await open();
    basket[Symbol.dispose]();
    assert.equal(thrown(() => basket.totals).message, message);
  });

  test("during settle(): it rejects with ABORTED, the host gets the abort, and nothing is unhandled", async () => {
    const unhandled = [];
    const listener = (reason) => unhandled.push(reason);
    process.on("unhandledRejection", listener);
    const host = slowHost();
    const { basket } = await open({ order: { ...orderOf(product()), shipping: DRY, voucherId: ["V1"] }, host });
    const settled = basket.settle();
    const { signal } = host.asked.lookupPrices[0].context;
    basket.free();
    const error = await errorOf(settled);
    assert.deepEqual([error.code, error.message, signal.aborted], ["ABORTED", "The calculation was aborted", true]);
    host.asked.lookupPrices[0].reject(new Error("late"));
    host.asked.nationwideRate[0].answer();
    host.asked.lookupVouchers[0].reject(new Error("late"));
    await turn();
    await turn();
    process.off("unhandledRejection", listener);
    assert.deepEqual(unhandled, []);
  });

  test("after the last answer, before anybody is notified: ABORTED too", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    const settled = basket.settle();
    basket.free();
    assert.equal((await errorOf(settled)).code, "ABORTED");
    const { basket: failing } = await open({ order: orderOf(product(9999)) });
    const failed = failing.settle();
    failing.free();
    assert.equal((await errorOf(failed)).code, "ABORTED");
  });

  for (const name of ["lookupPrices", "nationwideRate", "lookupVouchers", "validateCoupons"]) {
    test(`from inside ${name}`, async () => {
      let basket;
      const known = hostFromFacts(FACTS);
      const host = { ...known, [name]: (argument) => (basket.free(), known[name](argument)) };
      ({ basket } = await open({ order: { ...orderOf(product()), shipping: DRY, voucherId: ["V1"], couponCodeList: ["A"] }, host }));
      assert.equal((await errorOf(basket.settle())).code, "ABORTED");
    });
  }

  test("from a listener of the signal, and from a change listener", async () => {
    let basket;
    const lookupPrices = (_keys, { signal }) => {
      signal.addEventListener("abort", () => basket.free());
      return new Promise(() => {});
    };
    ({ basket } = await open({ order: orderOf(product()), host: { lookupPrices } }));
    const settled = basket.settle();
    basket.free();
    assert.equal((await errorOf(settled)).code, "ABORTED");

    const { basket: other } = await open({ order: orderOf(product()), host: slowHost() });
    other.addEventListener("change", () => other.free());
    const waiting = other.settle();
    other.setQuantity(0, 2);
    assert.equal((await errorOf(waiting)).code, "ABORTED");
  });
});

suite("used from inside its own callbacks", () => {
  test("setQuantity in lookupPrices", async () => {
    let basket;
    const host = { ...hostFromFacts(FACTS), lookupPrices: (keys) => (basket.setQuantity(0, 5), keys.map(() => ({ price: 2 }))) };
    let pricer;
    ({ basket, pricer } = await open({ order: orderOf(product()), host }));
    assert.equal((await basket.settle()).subTotal, 10);
    host.lookupPrices = (keys) => keys.map(() => ({ price: 2 }));
    await assertCurrent(basket, pricer);
  });

  for (const name of ["lookupPrices", "validateCoupons"]) {
    test(`settle in ${name}: the same promise`, async () => {
      let basket;
      let calls = 0;
      const promises = new Set();
      const known = hostFromFacts(FACTS);
      const host = {
        ...known,
        [name]: (argument) => {
          calls += 1;
          promises.add(basket.settle());
          return known[name](argument);
        },
      };
      ({ basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] }, host }));
      promises.add(basket.settle());
      assert.equal(promises.size, 1);
      assert.equal((await basket.settle()).grandTotal, 90);
      assert.equal(calls, 1);
    });
  }

  test("refresh, zones and another product in validateCoupons", async () => {
    let [basket, pricer, round] = [undefined, undefined, 0];
    const known = hostFromFacts(FACTS);
    const acts = [() => basket.refresh(), () => pricer.setDeliveryZones(ZONES(33)), () => basket.addProduct(product(1003)), () => basket.setCoupons(["B"])];
    const validateCoupons = (request) => {
      acts[round++]?.();
      return known.validateCoupons(request);
    };
    ({ basket, pricer } = await open({ order: { ...orderOf(product()), shipping: REGULAR, couponCodeList: ["A"] }, host: { ...known, validateCoupons }, deliveryZones: ZONES(40) }));
    const priced = await basket.settle();
    assert.deepEqual([priced.deliveryFee, priced.subTotal, priced.cartDiscount], [33, 107.25, 5]);
    await assertCurrent(basket, pricer);
  });
});

suite("change", () => {
  test("once for all simultaneous changes; not for edits that change nothing", async () => {
    const { basket } = await open({ order: orderOf(product()), host: slowHost() });
    let fired = 0;
    basket.addEventListener("change", () => (fired += 1));
    await turn();
    assert.equal(fired, 0, "it begins as it is");
    basket.setQuantity(0, 2);
    basket.addProduct(product(1002));
    basket.refresh();
    assert.equal(fired, 0);
    await turn();
    assert.equal(fired, 1);
    basket.setQuantity(0, 2);
    assert.throws(() => basket.setQuantity(0, 1.5));
    await turn();
    assert.equal(fired, 1);
    basket.setQuantity(0, 3);
    await turn();
    assert.equal(fired, 2);
    basket.setQuantity(0, 4);
    basket.free();
    await turn();
    assert.equal(fired, 2, "not after free()");
  });

  test("for answers, failures and their end", async () => {
    const host = slowHost();
    const { basket } = await open({ order: { ...orderOf(product(1001), product(9999)), couponCodeList: ["A"] }, host });
    const seen = [];
    basket.addEventListener("change", () => seen.push([basket.status, basket.totals.subTotal, basket.totals.cartDiscount]));
    const failed = errorOf(basket.settle());
    await answerNext(host, "lookupPrices");
    await failed;
    await turn();
    assert.deepEqual(seen.splice(0).at(-1), ["failed", 100, 0]);
    basket.removeProduct(1);
    await turn();
    assert.deepEqual(seen.splice(0), [["pending", 100, 0]]);
    const settled = basket.settle();
    await answerNext(host, "validateCoupons");
    await settled;
    await turn();
    assert.deepEqual(seen.splice(0), [["current", 100, 10]]);
  });
});

suite("a wrong argument throws and changes nothing", () => {
  /** Cycles in known fields of an order, a product and a shipping. */
  const cycle = product();
  Object.assign(cycle, { cartDiscountInfo: [cycle], remark: cycle, shippingFirstName: cycle });
  const refuse = () => {
    throw new RangeError("no");
  };
  const getter = Object.defineProperties(product(), {
    remark: { get: refuse, enumerable: true },
    shippingFirstName: { get: refuse, enumerable: true },
  });
  const wrong = [
    ["setQuantity", [0, 1.5], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0, NaN], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0, 2 ** 53], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0, 2n], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0, "2"], "productList[0].quantity: expected an integer"],
    ["setQuantity", [0], "productList[0].quantity: expected an integer"],
    ["setQuantity", [-1, 2], "line: expected a line of the order"],
    ["setQuantity", [1, 2], "line: expected a line of the order"],
    ["setQuantity", [0.5, 2], "line: expected a line of the order"],
    ["setQuantity", [NaN, 2], "line: expected a line of the order"],
    ["setQuantity", ["0", 2], "line: expected a line of the order"],
    ["setQuantity", [], "line: expected a line of the order"],
    ["removeProduct", [1], "line: expected a line of the order"],
    ["removeProduct", [null], "line: expected a line of the order"],
    ["removeProduct", [Infinity], "line: expected a line of the order"],
    ["addProduct", [undefined], "productList[1]: expected an object"],
    ["addProduct", [null], "productList[1]: expected an object"],
    ["addProduct", [NaN], "productList[1]: expected an object"],
    ["addProduct", [[]], "productList[1]: expected an object"],
    ["addProduct", [{}], "productList[1].cprcode: required"],
    ["addProduct", [product(NaN)], "productList[1].cprcode: expected an integer"],
    ["addProduct", [product(1n)], "productList[1].cprcode: expected an integer"],
    ["addProduct", [{ cprcode: 1, productName: "x" }], "productList[1].quantity: required"],
    ["addProduct", [product(1, 1, { remark: 5 })], "productList[1].remark: expected a string"],
    ["setShipping", [undefined], "shipping: expected an object"],
    ["setShipping", [5n], "shipping: expected an object"],
    ["setShipping", [{ shippingLat: NaN }], "shipping.shippingLat: expected a number"],
    ["setShipping", [{ scheduleList: [{ mode: "FAST" }] }], "shipping.scheduleList[0].mode: expected one of REGULAR, EXPRESS, NATIONWIDE, PICKUP"],
    ["setShipping", [{ scheduleList: [{ pickingStatus: [NaN] }] }], "shipping.scheduleList[0].pickingStatus[0]: expected a number"],
    ["setCoupons", ["A"], "couponCodeList: expected an array"],
    ["setCoupons", [undefined], "couponCodeList: expected an array"],
    ["setCoupons", [["A", null]], "couponCodeList[1]: expected a string"],
    ["setCoupons", [["A", NaN]], "couponCodeList[1]: expected a string"],
    ["setVouchers", [{ 0: "V1" }], "voucherId: expected an array"],
    ["setVouchers", [[1]], "voucherId[0]: expected a string"],
    ["setOwner", [5], "ownerId: expected a string"],
    ["setOwner", [NaN], "ownerId: expected a string"],
    ["setBranch", [undefined], "branchId: expected a string"],
    ["setBranch", [1000], "branchId: expected a string"],
  ];
  for (const [name, argument, message] of wrong) {
    test(`${name}(${argument.map((one) => inspect(one, { breakLength: Infinity }))}): ${message}`, async () => {
      const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] } });
      await basket.settle();
      const before = shown(basket);
      const { code, path, message: said } = thrown(() => basket[name](...argument));
      assert.deepEqual([code, said, path], ["VALIDATION_ERROR", `Invalid order: ${message}`, message.split(": ")[0]]);
      assert.deepEqual(shown(basket), before);
      assert.equal(basket.error, null);
    });
  }

  for (const [what, argument] of [["a cycle", cycle], ["a getter that throws", getter]]) {
    test(`what cannot be written as JSON at all: ${what}`, async () => {
      for (const order of [{ productList: [] }, orderOf(product())]) {
        const { basket } = await open({ order });
        const before = shown(basket);
        for (const name of ["addProduct", "setShipping", "setCoupons", "setOwner"]) {
          const { code, cause } = thrown(() => basket[name](argument));
          assert.deepEqual([name, code, cause instanceof Error], [name, "INVALID_JSON", true]);
        }
        assert.deepEqual(shown(basket), before);
        basket.addProduct(product());
        assert.equal(basket.order.productList.length, order.productList.length + 1);
      }
    });
  }

  test("an invalid order makes no basket", async () => {
    const { pricer } = await open();
    for (const order of [null, 5, NaN, [], "{}", { productList: [{}] }, { productList: {} }, { orderDate: NaN }]) {
      const { code } = thrown(() => pricer.basket(order));
      assert.equal(code, "VALIDATION_ERROR");
    }
    assert.equal(thrown(() => pricer.basket(cycle)).code, "INVALID_JSON");
  });

  test("limits: products and bytes, also the digits of a quantity", async () => {
    const order = { branchId: "1000", ...orderOf(product(1001, 9), product(1002)) };
    const maxBodyBytes = JSON.stringify(order).length;
    const { basket, pricer } = await open({ order, limits: { maxProducts: 2, maxBodyBytes } });
    const before = shown(basket);
    for (const change of [() => basket.setQuantity(0, 10), () => basket.setQuantity(0, -9), () => basket.setBranch("10000")]) {
      const { code, message } = thrown(change);
      assert.deepEqual([code, message], ["LIMIT_EXCEEDED", `Request body is larger than ${maxBodyBytes} bytes`]);
      assert.deepEqual(shown(basket), before);
    }
    basket.setQuantity(0, 1);
    basket.setBranch("1");
    basket.setQuantity(0, 1000);
    await basket.settle();
    await assertCurrent(basket, pricer);
    const { basket: full } = await open({ order, limits: { maxProducts: 2 } });
    const { code, message } = thrown(() => full.addProduct(product(1003)));
    assert.deepEqual([code, message], ["LIMIT_EXCEEDED", "Invalid order: productList: expected at most 2 products"]);
    full.removeProduct(0);
    assert.equal(full.addProduct(product(1003)).subTotal, 0);
  });
});

suite("values under unknown keys are dropped, even those that JSON cannot hold", () => {
  const odd = { get late() { throw new Error("nobody reads it"); } };
  odd.self = odd;
  let deep = {};
  for (let level = 0; level < 200; level += 1) deep = { deep };

  for (const [what, unknown] of [["a cycle and a getter that throws", odd], ["200 levels", deep], ["2 MB", "x".repeat(2 ** 21)]]) {
    test(what, async () => {
      const order = { ...orderOf(product(1001, 2, { unknown })), unknown, shipping: { ...DRY, unknown } };
      const { basket, pricer } = await open({ order });
      basket.addProduct(product(1002, 1, { unknown }));
      basket.setShipping({ ...DRY, shippingPostcode: "50000", unknown, scheduleList: [{ unknown, mode: "NATIONWIDE" }] });
      await basket.settle();
      await assertCurrent(basket, pricer);
      assert.equal(basket.rows.length, 2);
      assert.equal(basket.order.shipping.shippingPostcode, "50000");
    });
  }
});

suite("the order", () => {
  test("a copy, with unknown keys, and NaN in them as JSON.stringify writes it", async () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    const order = { foo: NaN, bar: [1n], ...orderOf(product(1001, 2, { price: NaN, x: { y: [Infinity, "NaN"] } })), cartDiscountInfo: [odd] };
    const { basket, pricer } = await open({ order });
    assert.deepEqual(basket.order, { foo: null, bar: [null], cartDiscountInfo: [odd], ...orderOf(product(1001, 2, { price: null, x: { y: [null, "NaN"] } })) });
    basket.order.productList.length = 0;
    basket.setQuantity(0, 3);
    basket.addProduct(product(1002, 1, { note: -Infinity }));
    basket.setShipping({ ...DRY, foo: NaN });
    await basket.settle();
    await assertCurrent(basket, pricer);
    assert.deepEqual(basket.order.productList, [product(1001, 3, { price: null, x: { y: [null, "NaN"] } }), product(1002, 1, { note: null })]);
    const again = pricer.basket(basket.order);
    assert.deepEqual(again.order, basket.order);
    assert.deepEqual(await again.settle(), await basket.settle());
  });

  test("duplicate codes and ids are echoed and count once", async () => {
    const { basket, pricer, host } = await open({ order: orderOf(product(), product()) });
    basket.setCoupons(["A", "A", "B"]);
    basket.setVouchers(["V1", "V1"]);
    basket.setOwner("malee");
    const priced = await basket.settle();
    assert.deepEqual([priced.couponCodeList, priced.voucherId, priced.cartDiscount, priced.voucherDiscount], [["A", "A", "B"], ["V1", "V1"], 15, 50]);
    assert.deepEqual(callsOf(host).map(([, argument]) => argument.length), [1, 1, 2]);
    await assertCurrent(basket, pricer);
  });

  test("D10: lone surrogates come back, and work in keys of facts", async () => {
    const half = "\ud83d";
    const vouchers = { "\ufffd": { value: 5, isActive: true, isUsed: false, ownerId: "\ufffd" } };
    const { basket, pricer, host } = await open({ order: orderOf(product(1001, 1, { productName: half, remark: "\udc00x" })), host: hostFromFacts({ ...FACTS, vouchers }) });
    basket.setVouchers([half, "\udc00"]);
    basket.setOwner(half);
    basket.setBranch(half);
    basket.setCoupons([half]);
    await basket.settle();
    const { productList } = await assertCurrent(basket, pricer);
    assert.deepEqual([productList[0].productName, productList[0].remark, productList[0].branchId], [half, "\udc00x", half]);
    callsOf(host);
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
    assert.deepEqual([basket.order.branchId, basket.order.ownerId], [half, half]);
  });

  test("exact, after any additions and removals", async () => {
    const prices = { 1: { price: 0.1 + 0.2, weight: 1e-9 }, 2: '{"price":0.123456789012345678,"weight":3}', 3: { price: 1e7 } };
    const { basket, pricer } = await open({ order: orderOf(product(1)), host: hostFromFacts({ prices }) });
    for (let round = 0; round < 20; round += 1) {
      basket.addProduct(product(2, round));
      basket.addProduct(product(3, 7));
      await basket.settle();
      basket.setQuantity(1, round - 3);
      basket.setQuantity(0, round);
      await assertCurrent(basket, pricer);
      basket.removeProduct(2);
      basket.removeProduct(1);
      await assertCurrent(basket, pricer);
    }
  });
});

suite("over its lifetime", () => {
  const memory = () => initSync().memory.buffer.byteLength;

  test("100,000 baskets made, edited and freed do not grow the module's memory", async (context) => {
    const { pricer } = await open();
    const round = () => {
      const basket = pricer.basket(orderOf(product(), product(1002)));
      basket.setQuantity(1, 3);
      basket.setCoupons(["A"]);
      basket.removeProduct(0);
      basket.free();
    };
    for (let index = 0; index < 1000; index += 1) round();
    const before = memory();
    for (let index = 0; index < 100_000; index += 1) round();
    context.diagnostic(`module memory: ${before} bytes before, ${memory()} after 100,000 baskets`);
    assert.equal(memory(), before);
  });

  test("nor do 2,000 settled ones, some of them freed meanwhile", async (context) => {
    const { pricer } = await open();
    const order = { ...orderOf(product(), product(1002)), shipping: DRY, couponCodeList: ["A"], voucherId: ["V1"] };
    const round = async (index) => {
      const basket = pricer.basket(order);
      const settled = basket.settle();
      if (index % 3 === 0) basket.free();
      await settled.catch(() => {});
      basket.free();
    };
    for (let index = 0; index < 200; index += 1) await round(index);
    const before = memory();
    for (let index = 0; index < 2000; index += 1) await round(index);
    context.diagnostic(`module memory: ${before} bytes before, ${memory()} after 2,000 settled baskets`);
    assert.equal(memory(), before);
  });

  /** The shortest time of one edit, in ms. Other load on the machine only increases it. */
  function timeOf(edit, times) {
    let least = Infinity;
    for (let sample = 0; sample < 15; sample += 1) {
      const start = performance.now();
      for (let index = 0; index < times; index += 1) edit(sample * times + index);
      least = Math.min(least, (performance.now() - start) / times);
    }
    return least;
  }

  test("edits of a large basket are fast enough", async (context) => {
    const coupons = ({ productList }) => ({ discounts: [{ coupon: "A", discount: 1, lines: productList.map((_, line) => ({ line, discount: 1 })) }] });
    const times = {};
    for (const lines of [1000, 4000]) {
      const order = { ...orderOf(...Array.from({ length: lines }, (_, index) => product(index + 1))), couponCodeList: ["A"] };
      const host = hostFromFacts({ ...FACTS, prices: Object.fromEntries(order.productList.map(({ cprcode }) => [cprcode, { price: 9.75 }])), coupons });
      const { basket } = await open({ order, host });
      await basket.settle();
      const quantity = (index) => basket.setQuantity(index % lines, 1 + (index % 7)) && basket.totals.subTotal;
      const status = () => basket.status;
      const lastLine = () => basket.addProduct(product(1)) && basket.removeProduct(lines);
      times[lines] = { setQuantity: timeOf(quantity, 500), status: timeOf(status, 2), "addProduct and removeProduct": timeOf(lastLine, 2) };
    }
    for (const [edit, most] of [["setQuantity", 8], ["status", 8], ["addProduct and removeProduct", 12]]) {
      const [small, large] = [times[1000][edit], times[4000][edit]];
      context.diagnostic(`${edit}: ${(small * 1000).toFixed(1)} µs at 1,000 lines, ${(large * 1000).toFixed(1)} µs at 4,000: ${(large / small).toFixed(1)} times`);
      assert.ok(large / small < most, `${edit}: ${large / small} times as long`);
    }
  });
});
