import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts, recordingHost } from "order-cost/testing";

test("a price is found by product and branch, then by product", () => {
  const host = hostFromFacts({ prices: { "1/1000": { price: 1 }, 1: { price: 2 } } });
  const keys = [
    { cprcode: 1, branchId: "1000" },
    { cprcode: 1, branchId: "1001" },
    { cprcode: 2, branchId: "1000" },
  ];
  assert.deepEqual(host.lookupPrices(keys), [{ price: 1 }, { price: 2 }, undefined]);
});

test("names of Object's own properties are not found", () => {
  const host = hostFromFacts({ prices: {}, vouchers: {} });
  assert.deepEqual(host.lookupVouchers(["__proto__", "constructor", "toString"]), [undefined, undefined, undefined]);
});

test("an unknown rate throws", () => {
  const host = hostFromFacts({ prices: {}, rates: { DRY: { deliveryFee: 1 } } });
  assert.deepEqual(host.nationwideRate({ nationwideMode: "DRY" }), { deliveryFee: 1 });
  assert.throws(() => host.nationwideRate({ nationwideMode: "MIX" }), { message: "No rate for MIX" });
});

test("a rate is found by postcode and mode, then by mode; null says that there is none", () => {
  const rates = { "10110/DRY": '{"deliveryFee":2}', DRY: { deliveryFee: 1 }, MIX: null };
  const host = hostFromFacts({ rates });
  assert.equal(host.nationwideRate({ shippingPostcode: "10110", nationwideMode: "DRY" }), rates["10110/DRY"]);
  assert.equal(host.nationwideRate({ shippingPostcode: "10120", nationwideMode: "DRY" }), rates.DRY);
  assert.equal(host.nationwideRate({ shippingPostcode: "10110", nationwideMode: "MIX" }), null);
  assert.throws(() => host.nationwideRate({ shippingPostcode: "10110", nationwideMode: "FRESH" }), { message: "No rate for FRESH" });
});

test("of a list of coupon answers the first counts whose request is equal, or that has none", () => {
  const coupons = [{ request: { couponCodeList: ["A"], subTotal: 10 }, answer: "first" }, { answer: "any" }];
  const ask = (list, request) => hostFromFacts({ coupons: list }).validateCoupons(request);
  assert.equal(ask(coupons, { subTotal: 10, couponCodeList: ["A"] }), "first");
  assert.equal(ask(coupons, { subTotal: 11, couponCodeList: ["A"] }), "any");
  assert.throws(() => ask(coupons.slice(0, 1), { subTotal: 11, couponCodeList: ["A"] }), { message: "No coupon answer for this request" });
});

test("no facts at all: nothing is found", () => {
  assert.deepEqual(hostFromFacts({}).lookupPrices([{ cprcode: 1, branchId: "1000" }]), [undefined]);
});

test("coupons are an answer, a function that makes one, or all failed", () => {
  const request = { couponCodeList: ["A", "B"], subTotal: 10 };
  const answer = { discounts: [{ coupon: "A", discount: 1 }] };
  assert.equal(hostFromFacts({ prices: {}, coupons: answer }).validateCoupons(request), answer);
  const made = hostFromFacts({ prices: {}, coupons: ({ subTotal }) => ({ discounts: [{ coupon: "A", discount: subTotal }] }) });
  assert.equal(made.validateCoupons(request).discounts[0].discount, 10);
  assert.deepEqual(hostFromFacts({ prices: {} }).validateCoupons(request), { discounts: [], failedCoupons: ["A", "B"] });
});

test("calls are recorded in sequence", () => {
  const host = hostFromFacts({ prices: {} });
  host.lookupPrices([{ cprcode: 1, branchId: "1000" }]);
  host.lookupVouchers(["V"]);
  assert.deepEqual(host.calls, [
    { name: "lookupPrices", argument: [{ cprcode: 1, branchId: "1000" }] },
    { name: "lookupVouchers", argument: ["V"] },
  ]);
});

const ORDER = {
  ownerId: "malee",
  productList: [{ cprcode: 1, productName: "a", quantity: 2 }, { cprcode: 2, productName: "b", quantity: 1 }],
  voucherId: ["__proto__", "V"],
  couponCodeList: ["A"],
  shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE" }] },
};

/** Answers of every form: text with many digits, objects, promises, null. */
const HOST = {
  lookupPrices: (keys) => keys.map(({ cprcode }) => (cprcode === 1 ? '{"price": 0.1000000000000000000000001}' : { price: 5 })),
  nationwideRate: async () => ({ deliveryFee: 80 }),
  validateCoupons: async ({ subTotal }) => ({ discounts: [{ coupon: "A", discount: subTotal > 5 ? 1 : 0 }] }),
  lookupVouchers: (ids) => ids.map((id) => ({ voucherId: id, ownerId: "malee", value: 1, isActive: true, isUsed: false })),
};

test("recorded facts, sent as JSON, price the order again to the last digit", async () => {
  const host = recordingHost(HOST);
  const expected = await (await createPricer(host)).calculateJson(JSON.stringify(ORDER));
  assert.match(`${Buffer.from(expected)}`, /"grandTotal":82\.2000000000000000000000002,/);
  const facts = JSON.parse(JSON.stringify(host.facts));
  assert.equal(facts.prices["1/1000"], '{"price": 0.1000000000000000000000001}');
  assert.equal(facts.prices["2/1000"], '{"price":5}');
  assert.deepEqual(Object.keys(facts.rates), ["10110/DRY"]);
  assert.equal(facts.coupons[0].request.subTotal, 5.2);
  const again = await createPricer(hostFromFacts(facts));
  assert.deepEqual(await again.calculateJson(JSON.stringify(ORDER)), expected);
});

test("a recording: not found is null, the last answer counts, a failure and a missing function leave nothing", async () => {
  let price = 1;
  const host = recordingHost({
    lookupPrices: (keys) => keys.map(({ cprcode }) => (cprcode === 9 ? undefined : { price: price++ })),
    nationwideRate: () => { throw new Error("down"); },
    validateCoupons: () => Promise.reject(new Error("down")),
  });
  host.lookupPrices([{ cprcode: 9, branchId: "1" }, { cprcode: 1, branchId: "1" }]);
  host.lookupPrices([{ cprcode: 1, branchId: "1" }]);
  assert.throws(() => host.nationwideRate({ shippingPostcode: "1", nationwideMode: "DRY" }), { message: "down" });
  await assert.rejects(async () => host.validateCoupons({}), { message: "down" });
  assert.deepEqual(JSON.parse(JSON.stringify(host.facts)), { prices: { "9/1": null, "1/1": '{"price":2}' }, rates: {}, coupons: [] });
  assert.equal(host.lookupVouchers, undefined);
});

test("what is recorded does not change with the host's object", () => {
  const record = { price: 1 };
  const host = recordingHost({ lookupPrices: () => [record] });
  assert.equal(host.lookupPrices([{ cprcode: 1, branchId: "1" }])[0], record);
  record.price = 2;
  assert.equal(host.facts.prices["1/1"], '{"price":1}');
});
