import { couponErrorOf } from "./coupon-error.js";
import { createMultiplierNote } from "./large-multiplier.js";
import { createRates } from "./rates.js";
import { createProbe, createService, serviceText } from "./service.js";
import { createVoucherService } from "./vouchers.js";

/**
 * The part of the pricer's host that no version of the catalogue changes. Its look-ups pass records and answers to the
 * pricer as unparsed text, and tell the order what they asked. A look-up that the platform lacks is absent; an order
 * that needs it fails (D41).
 *
 * @param {import("../service.js").Platform} platform
 * @param {{ vouchersUrl?: string, nationwideUrl?: string, couponsUrl?: string, logText?: boolean, ratesKeepMs: number }} options
 *   a URL replaces what the platform has
 * @returns {{ lookUps: import("order-cost").Host, keepRates(order: import("../order.js").Order): void, probes: object }}
 *   `keepRates` keeps the rates of a priced order; `probes` ask whether a service is there
 */
export function createHost(platform, { vouchersUrl, nationwideUrl, couponsUrl, logText, ratesKeepMs }) {
  const shownText = serviceText(logText);
  const askRate = createService("nationwide function", platform.nationwide, nationwideUrl, shownText);
  const askCoupons = createService("coupon service", platform.coupons, couponsUrl, shownText);
  const vouchers = createVoucherService(vouchersUrl, shownText) ?? platform.vouchers;

  function lookupVouchers(ids, ctx) {
    const { context: order } = ctx;
    order.countKeys("vouchers", ids.length);
    return order.waitFor("lookupVouchers", vouchers.lookup(ids, ctx), ctx.signal);
  }

  function askForRate(query, ctx) {
    ctx.context.countReads("rates", 1);
    return ctx.context.waitFor("nationwideRate", askRate(query, ctx), ctx.signal);
  }
  const noteMultiplier = createMultiplierNote();
  const rates = createRates(askForRate, ratesKeepMs);

  function nationwideRate(query, ctx) {
    ctx.context.countKeys("rates", 1);
    return rates.nationwideRate(query, ctx);
  }

  async function validateCoupons(request, ctx) {
    const order = ctx.context;
    order.countKeys("coupons", request.couponCodeList.length);
    order.countReads("coupons", 1);
    const answer = await order.waitFor("validateCoupons", askCoupons(request, ctx), ctx.signal);
    noteMultiplier(answer);
    const error = couponErrorOf(answer);
    if (error !== undefined) order.couponError = shownText(error, request);
    return answer;
  }

  return {
    lookUps: {
      lookupVouchers: vouchers && lookupVouchers,
      nationwideRate: askRate && nationwideRate,
      validateCoupons: askCoupons && validateCoupons,
    },
    keepRates: rates.keep,
    probes: {
      vouchers: vouchers?.probe,
      rates: createProbe("nationwide function", platform.nationwide, nationwideUrl),
      coupons: createProbe("coupon service", platform.coupons, couponsUrl),
    },
  };
}
