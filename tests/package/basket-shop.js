// A small shop for the tests of the basket: its facts, hosts that answer when they are told to, orders and errors.
import assert from "node:assert/strict";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { deliveredBy } from "../zones.js";
import { errorOf } from "./errors.js";

export const PRICES = { 1001: { price: 100, weight: 0.5 }, 1002: { price: 30, isControlledProduct: true }, 1003: { price: 7.25 } };
const RATES = { DRY: { deliveryFee: 60 }, FRESH: { deliveryFee: 90, nationwideConfig: "cold" } };
const VOUCHERS = {
  V1: { ownerId: "malee", value: 50, isActive: true, isUsed: false },
  V2: { ownerId: "somchai", value: 20, isActive: true, isUsed: false },
};
const GRANTS = {
  A: { discount: 10 },
  B: { discount: 5, lines: [{ line: 0, discount: 5 }] },
  SHIP: { freeshipping: true, shippingDiscount: 60 },
};
export const FACTS = {
  prices: PRICES,
  rates: RATES,
  vouchers: VOUCHERS,
  coupons: ({ couponCodeList }) => ({
    discounts: couponCodeList.filter((code) => GRANTS[code]).map((coupon) => ({ coupon, ...GRANTS[coupon] })),
    failedCoupons: couponCodeList.filter((code) => !GRANTS[code]),
  }),
};
export const NOTHING = Object.fromEntries(
  (
    "subTotal grandTotal totalExcludeControlledProducts totalWeight deliveryFee discountedDeliveryFee expressShippingCost " +
    "shippingFee shippingPrice cartDiscount bogoDiscount two4Discount percentageDiscount shippingDiscount voucherDiscount totalDiscount"
  )
    .split(" ")
    .map((name) => [name, 0])
    .concat([["isFreeShipping", false]]),
);

export const REGULAR = deliveredBy("REGULAR");
export const DRY = { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE", nationwideMode: "DRY" }] };

export const product = (cprcode = 1001, quantity = 1, rest = {}) => ({ cprcode, productName: `p${cprcode}`, quantity, ...rest });
export const orderOf = (...products) => ({ productList: products });
/** An order that asks everything. */
export const FULL = { ...orderOf(product()), shipping: DRY, couponCodeList: ["A"], voucherId: ["V1"], ownerId: "malee" };

/** A pricer and a basket with FACTS, or with replacements. */
export async function open({ order, host = hostFromFacts(FACTS), context, autoSettle, ...options } = {}) {
  const pricer = await createPricer(host, options);
  const basketOptions = context === undefined && autoSettle === undefined ? undefined : { context, autoSettle };
  return { host, pricer, basket: pricer.basket(order, basketOptions) };
}

/** A host whose look-ups wait until the test answers them. `asked[name]` lists the waiting calls. */
export function slowHost(facts = FACTS) {
  const known = hostFromFacts(facts);
  const asked = { lookupPrices: [], nationwideRate: [], validateCoupons: [], lookupVouchers: [] };
  const host = { calls: known.calls, asked };
  for (const [name, waiting] of Object.entries(asked)) {
    host[name] = (argument, context) =>
      new Promise((resolve, reject) => {
        const answer = () =>
          Promise.resolve(argument)
            .then((one) => known[name](one))
            .then(resolve, reject);
        waiting.push({ argument, context, answer, resolve, reject });
      });
  }
  return host;
}

export const turn = () => new Promise((resolve) => setImmediate(resolve));

export async function answerNext(host, name) {
  host.asked[name].shift().answer();
  await turn();
}

/** The calls since the last time: `[name, what was asked]`. */
export function callsOf(host) {
  return host.calls.splice(0).map(({ name, argument }) => [name, name === "validateCoupons" ? argument.couponCodeList : argument]);
}

/** The rows as `calculate` gives them. */
const priced = (rows) => rows.map(({ key, problem, ...row }) => row);

/** The basket is current and equals the result of `calculate`. */
export async function assertCurrent(basket, pricer) {
  assert.deepEqual([basket.status, basket.pending, basket.error, basket.snapshot.problems], ["current", [], null, []]);
  const { snapshot } = basket;
  const expected = await pricer.calculate(basket.order);
  for (const [name, value] of Object.entries(snapshot.totals)) assert.equal(value, expected[name], name);
  assert.deepEqual(priced(snapshot.rows), expected.productList);
  for (const name of ["shipping", "validVouchers", "invalidVouchers", "discountResult"])
    assert.deepEqual(snapshot[name], expected[name], name);
  return expected;
}

/** Breaks the instance of the module: all that is in it is lost. */
export async function breakModule(pricer) {
  const { Pricing } = await import(new URL("wasm/order_cost.js", import.meta.resolve("order-cost")));
  const { prototype } = Pricing;
  const { start } = prototype;
  prototype.start = () => {
    prototype.start = start;
    throw new WebAssembly.RuntimeError("unreachable");
  };
  assert.equal((await errorOf(pricer.calculate(orderOf(product())))).code, "INTERNAL");
}
