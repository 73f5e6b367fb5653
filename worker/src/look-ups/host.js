import { couponErrorOf } from "./coupon-error.js";
import { voucherKey } from "../keys.js";
import { createBulkReader } from "../kv.js";
import { createRates } from "./rates.js";
import { createProbe, createService, serviceText } from "./service.js";

/**
 * The part of the pricer's host that no version of the catalogue changes. Its look-ups pass records and answers to the
 * pricer as unparsed text, and tell the order what they asked. A look-up without a binding is absent; an order that
 * needs it fails (D41).
 *
 * @param {{ VOUCHERS?: KVNamespace, NATIONWIDE?: Fetcher, COUPONS?: Fetcher }} env
 * @param {{ nationwideUrl?: string, couponsUrl?: string, logText?: boolean, ratesKeepMs: number }} options a URL replaces
 *   the binding
 * @returns {{ lookUps: import("order-cost").Host, keepRates(order: import("../order.js").Order): void, probes: object }}
 *   `keepRates` keeps the rates of a priced order; `probes` ask whether a service is there
 */
export function createHost(env, { nationwideUrl, couponsUrl, logText, ratesKeepMs }) {
  const shownText = serviceText(logText);
  const readVouchers = env.VOUCHERS && createBulkReader("voucher store", env.VOUCHERS);
  const askRate = createService("nationwide function", env.NATIONWIDE, nationwideUrl, shownText);
  const askCoupons = createService("coupon service", env.COUPONS, couponsUrl, shownText);

  function lookupVouchers(ids, { context: order }) {
    order.countKeys("vouchers", ids.length);
    const records = readVouchers(ids.map(voucherKey), (count) => order.countReads("vouchers", count));
    return order.waitFor("lookupVouchers", records);
  }

  function askForRate(query, ctx) {
    ctx.context.countReads("rates", 1);
    return ctx.context.waitFor("nationwideRate", askRate(query, ctx));
  }
  const rates = createRates(askForRate, ratesKeepMs);

  function nationwideRate(query, ctx) {
    ctx.context.countKeys("rates", 1);
    return rates.nationwideRate(query, ctx);
  }

  async function validateCoupons(request, ctx) {
    const order = ctx.context;
    order.countKeys("coupons", request.couponCodeList.length);
    order.countReads("coupons", 1);
    const answer = await order.waitFor("validateCoupons", askCoupons(request, ctx));
    const error = couponErrorOf(answer);
    if (error !== undefined) order.couponError = shownText(error, request);
    return answer;
  }

  return {
    lookUps: {
      lookupVouchers: readVouchers && lookupVouchers,
      nationwideRate: askRate && nationwideRate,
      validateCoupons: askCoupons && validateCoupons,
    },
    keepRates: rates.keep,
    probes: {
      rates: createProbe("nationwide function", env.NATIONWIDE, nationwideUrl),
      coupons: createProbe("coupon service", env.COUPONS, couponsUrl),
    },
  };
}
