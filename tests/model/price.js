import { readBody } from "./body.js";
import { calculateDelivery } from "./delivery.js";
import { askCoupons, NO_DISCOUNTS } from "./discounts.js";
import { Fault } from "./fault.js";
import { distinct, readOrder } from "./order.js";
import { lookUpPrices } from "./prices.js";
import { couponRequest, responseText } from "./response.js";
import { priceRows, totalsAfterCoupons, totalsBeforeCoupons } from "./totals.js";
import { lookUpVouchers } from "./vouchers.js";

/**
 * What a golden case prices; tests/golden/README.md has the whole shape.
 * @typedef {object} Case
 * @property {object} [order] or `body`, or `bodyBase64`
 * @property {string} [body]
 * @property {string} [bodyBase64]
 * @property {{ policy?: Record<string, string>, limits?: Record<string, number>, input?: string, deadlineMs?: number }} [options]
 * @property {unknown} [zones]
 * @property {CaseHost} [host]
 *
 * @typedef {object} CaseHost answers, and what goes wrong by look-up
 * @property {Record<string, unknown>} [prices]
 * @property {Record<string, unknown>} [rates]
 * @property {Record<string, unknown>} [vouchers]
 * @property {unknown} [coupons]
 * @property {Record<string, Failure>} [fails]
 * @property {string[]} [missing]
 * @typedef {{ throws?: string, throwsValue?: unknown, late?: boolean, answers?: unknown }} Failure
 *
 * @typedef {{ text: string, couponRequest: import("order-cost").CouponRequest | null, error?: undefined }} Priced `couponRequest`: null if coupons are not asked
 * @typedef {ReturnType<Fault["toExpectation"]> & { text?: undefined, couponRequest?: undefined }} Failed
 */

/**
 * Prices a case.
 * @param {Case} testCase
 * @returns {Priced | Failed}
 */
export function price(testCase) {
  try {
    return calculate(testCase);
  } catch (error) {
    if (error instanceof Fault) return error.toExpectation();
    throw error;
  }
}

/** Works in the sequence of D42, so that the first fault is the one to report. */
function calculate(testCase) {
  const { policy = {}, limits, input } = testCase.options ?? {};
  const order = readOrder(readBody(testCase), limits, input);
  const prices = lookUpPrices(testCase, order);
  const delivery = calculateDelivery(testCase, order);
  const vouchers = lookUpVouchers(testCase, order);

  const rows = priceRows(order, prices, policy);
  const before = totalsBeforeCoupons(rows, delivery, policy);
  const codes = distinct(order.couponCodeList); // D24
  const request = codes.length > 0 ? couponRequest(order, codes, rows, before) : null; // D23
  const coupons = request ? askCoupons(testCase, request) : NO_DISCOUNTS;

  const { rows: finalRows, totals } = totalsAfterCoupons(before, rows, coupons, vouchers, policy);
  return { text: responseText(order, finalRows, delivery, totals, vouchers, coupons), couponRequest: request };
}
