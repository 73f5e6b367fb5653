import { BY_ID } from "order-cost/internal";
import { couponErrorOf } from "./coupon-error.js";
import { createMultiplierNote } from "./large-multiplier.js";
import { createRates } from "./rates.js";
import { createRecordService } from "./record-service.js";
import { createProbe, createServiceClient, serviceText } from "./service-client.js";

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
 * @typedef {Partial<Record<string, import("../service/service.js").Probe>>} Probes
 * @typedef {import("./service-client.js").Ask} Ask
 */
export function createHost(platform, { nationwideUrl, couponsUrl, logText = false, ratesKeepMs, ...urls }) {
  const shownText = serviceText(logText);
  const askRate = createServiceClient("nationwide function", platform.nationwide, nationwideUrl, shownText);
  const askCoupons = createServiceClient("coupon service", platform.coupons, couponsUrl, shownText);
  const stores = BY_ID.map(([name, row]) => {
    const store = createRecordService(row, urls[`${row.part}Url`], shownText) ?? platform[row.part];
    return { name, part: row.part, store };
  });
  const rates = askRate && createRates(countedAsk(askRate), ratesKeepMs);

  return {
    lookUps: {
      ...Object.fromEntries(stores.map((one) => [one.name, one.store && lookupIn(one)])),
      nationwideRate: rates && rateFrom(rates),
      validateCoupons: askCoupons && validateBy(askCoupons, shownText),
    },
    keepRates: (order) => rates?.keep(order),
    probes: {
      ...Object.fromEntries(stores.map(({ part, store }) => [part, store?.probe])),
      rates: createProbe("nationwide function", platform.nationwide, nationwideUrl),
      coupons: createProbe("coupon service", platform.coupons, couponsUrl),
    },
  };
}

const lookupIn =
  ({ name, part, store }) =>
  (ids, ctx) => {
    const { context: order } = ctx;
    order.countKeys(part, ids.length);
    return order.waitFor(name, store.lookup(ids, ctx), ctx.signal);
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
