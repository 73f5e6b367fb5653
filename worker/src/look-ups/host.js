import { couponErrorOf } from "./coupon-error.js";
import { createMultiplierNote } from "./large-multiplier.js";
import { createRates } from "./rates.js";
import { createProbe, createServiceClient, serviceText } from "./service-client.js";
import { createVoucherService } from "./vouchers.js";

/**
 * The part of the pricer's host that no version of the catalogue changes. Its look-ups pass records and answers to the
 * pricer as unparsed text, and tell the order what they asked. A look-up that the platform lacks is absent; an order
 * that needs it fails (D41).
 *
 * @param {import("../service/service.js").Platform} platform
 * @param {{ vouchersUrl?: string, nationwideUrl?: string, couponsUrl?: string, logText?: boolean, ratesKeepMs: number }} options
 *   a URL replaces what the platform has
 * @returns {{ lookUps: import("order-cost").Host, keepRates(order: import("../orders/order.js").Order): void, probes: Probes }}
 *   `keepRates` keeps the rates of a priced order; `probes` ask whether a service is there
 *
 * @typedef {Partial<Record<"vouchers" | "rates" | "coupons", import("../service/service.js").Probe>>} Probes
 * @typedef {import("./service-client.js").Ask} Ask
 */
export function createHost(platform, { vouchersUrl, nationwideUrl, couponsUrl, logText = false, ratesKeepMs }) {
  const shownText = serviceText(logText);
  const askRate = createServiceClient("nationwide function", platform.nationwide, nationwideUrl, shownText);
  const askCoupons = createServiceClient("coupon service", platform.coupons, couponsUrl, shownText);
  const vouchers = createVoucherService(vouchersUrl, shownText) ?? platform.vouchers;
  const rates = askRate && createRates(countedAsk(askRate), ratesKeepMs);

  return {
    lookUps: {
      lookupVouchers: vouchers && lookupIn(vouchers),
      nationwideRate: rates && rateFrom(rates),
      validateCoupons: askCoupons && validateBy(askCoupons, shownText),
    },
    keepRates: (order) => rates?.keep(order),
    probes: {
      vouchers: vouchers?.probe,
      rates: createProbe("nationwide function", platform.nationwide, nationwideUrl),
      coupons: createProbe("coupon service", platform.coupons, couponsUrl),
    },
  };
}

/** @param {NonNullable<import("../service/service.js").Platform["vouchers"]>} vouchers */
const lookupIn = (vouchers) => (ids, ctx) => {
  const { context: order } = ctx;
  order.countKeys("vouchers", ids.length);
  return order.waitFor("lookupVouchers", vouchers.lookup(ids, ctx), ctx.signal);
};

/** @param {ReturnType<typeof createRates>} rates */
const rateFrom = (rates) => (query, ctx) => {
  ctx.context.countKeys("rates", 1);
  return rates.nationwideRate(query, ctx);
};

/**
 * @param {Ask} ask
 * @returns {Ask}
 */
const countedAsk = (ask) => (query, ctx) => {
  ctx.context.countReads("rates", 1);
  return ctx.context.waitFor("nationwideRate", ask(query, ctx), ctx.signal);
};

/**
 * @param {Ask} ask
 * @param {(text: string, question: unknown) => string} shownText
 */
function validateBy(ask, shownText) {
  const noteMultiplier = createMultiplierNote();

  return async (request, ctx) => {
    const order = ctx.context;
    order.countKeys("coupons", request.couponCodeList.length);
    order.countReads("coupons", 1);
    const answer = await order.waitFor("validateCoupons", ask(request, ctx), ctx.signal);
    noteMultiplier(answer);
    const error = couponErrorOf(answer);
    if (error !== undefined) order.couponError = shownText(error, request);
    return answer;
  };
}
