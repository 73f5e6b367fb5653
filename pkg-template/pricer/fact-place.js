// Where a wrong fact stands among an order's facts.
import { priceKey, rateKey } from "../core/index.js";
import { DEFAULTS, LOOK_UPS } from "../order-fields.js";

const INVALID_ANSWER = /^Invalid answer from \w+: (.*)$/s;

/**
 * The keys of the fact that an error is about, and what is wrong with it; undefined if it is about none.
 * @typedef {import("order-cost").ErrorSubject} ErrorSubject
 * @typedef {() => { shipping: { shippingPostcode?: string, scheduleList: { nationwideMode?: string }[] } }} OrderThatFailed
 *
 * @param {{ message: string, subject?: ErrorSubject }} error
 * @param {OrderThatFailed} order
 * @param {import("order-cost").Facts} facts
 * @returns {{ keys: string[], wrong: string } | undefined}
 */
export function factPlace({ message, subject }, order, facts) {
  const wrong = INVALID_ANSWER.exec(message)?.[1];
  const place = wrong && placeOf(subject, order, facts);
  if (!place) return undefined;
  const { keys, prefix } = place;
  return { keys, wrong: prefix !== undefined && wrong.startsWith(`${prefix}: `) ? wrong.slice(prefix.length + 2) : wrong };
}

/**
 * `prefix`: what the pricer's message begins with.
 * @param {ErrorSubject | undefined} subject
 * @param {OrderThatFailed} order
 * @param {import("order-cost").Facts} facts
 * @returns {{ keys: string[], prefix?: string } | undefined}
 */
function placeOf({ lookup, cprcode, branchId, schedule, ...ids } = {}, order, { prices = {}, rates = {} }) {
  const { part, id } = LOOK_UPS[lookup ?? ""] ?? {};
  if (id && ids[id] !== undefined) return { keys: [part, ids[id]], prefix: ids[id] };
  if (lookup === "validateCoupons") return { keys: ["coupons"] };
  if (lookup === "lookupPrices" && cprcode !== undefined) {
    const key = priceKey({ cprcode, branchId });
    return { keys: ["prices", Object.hasOwn(prices, key) ? key : `${cprcode}`], prefix: key };
  }
  if (lookup !== "nationwideRate" || schedule === undefined) return undefined;
  const { shippingPostcode, scheduleList } = order().shipping;
  const mode = scheduleList[schedule].nationwideMode ?? DEFAULTS.Schedule.nationwideMode;
  const key = rateKey({ shippingPostcode: shippingPostcode ?? DEFAULTS.Shipping.shippingPostcode, nationwideMode: mode });
  return { keys: ["rates", Object.hasOwn(rates, key) ? key : mode] };
}
