// Which reason moved how much of what the grand totals of an order are apart.
import { absolute, order, subtract } from "../decimal.js";
import { ZERO, isNear } from "./explain/amounts.js";
import { deltaOf } from "./explain/rounding.js";
import { Sum } from "./sum.js";
import { UNEXPLAINED } from "./why.js";

/** The amounts that the grand total is made of: 1 adds, -1 takes off. */
const PARTS = new Map([
  ["subTotal", 1],
  ["discountedDeliveryFee", 1],
  ["expressShippingCost", 1],
  ["cartDiscount", -1],
  ["bogoDiscount", -1],
  ["voucherDiscount", -1],
]);

/** In place of a reason: the money of several that nothing tells apart. */
export const SEVERAL = { decision: null, what: "several reasons at once", policy: null };
export const NO_REASON = { decision: null, what: UNEXPLAINED, policy: null };

/**
 * The money of each reason, signed as the right grand total less the left one: together they are all of it.
 * @param {object[]} differences of an order, explained
 * @param {object} delta what its grand totals are apart
 * @returns {Map<object, object>}
 */
export function moneyByReason(differences, delta) {
  const total = differences.find(({ path }) => path === "grandTotal");
  const followsOthers = total.roots.length > 0 && !total.roots.includes(total.field);
  const whole = reasonOf(total);
  if (!followsOthers && whole !== SEVERAL) return new Map([[whole, delta]]);
  const sums = new Map();
  let rest = delta;
  for (const part of differences.filter(({ path }) => PARTS.has(path))) {
    const moved = movedBy(part);
    if (moved === undefined) return new Map([[SEVERAL, delta]]);
    addTo(sums, reasonOf(part), moved);
    rest = subtract(rest, moved);
  }
  if (rest.digits !== 0n) addTo(sums, isNear(rest, ZERO) ? largestIn(sums) : SEVERAL, rest); // a floor at 0, or the noise of floats
  return new Map([...sums].map(([reason, { total }]) => [reason, total]));
}

function addTo(sums, reason, amount) {
  if (!sums.has(reason)) sums.set(reason, new Sum());
  sums.get(reason).add(amount);
}

function movedBy(part) {
  const delta = deltaOf(part);
  return delta && PARTS.get(part.path) < 0 ? subtract(ZERO, delta) : delta;
}

/** The reason that moves most. */
function largestIn(sums) {
  const sizes = [...sums].map(([reason, { total }]) => ({ reason, size: absolute(total) }));
  return sizes.reduce((most, one) => (order(one.size, most.size) > 0 ? one : most), { reason: SEVERAL, size: ZERO }).reason;
}

/** What explains a difference alone. One that has a reason, and follows from what has none, has two. */
function reasonOf({ reasons, roots }) {
  if (reasons.length === 0) return NO_REASON;
  return roots.length === 0 && reasons.length === 1 ? reasons[0] : SEVERAL;
}
