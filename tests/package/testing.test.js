import assert from "node:assert/strict";
import { test } from "node:test";
import { hostFromFacts } from "order-cost/testing";

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
