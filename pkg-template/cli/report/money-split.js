// Which reason moved how much of what the grand totals of an order are apart.
import { absolute, order, subtract } from "../../shared/index.js";
import { UNEXPLAINED } from "../comparison/index.js";
import { deltaOf, isNear, Sum, ZERO } from "../explain/index.js";

/** The amounts that the grand total is made of: 1 adds, -1 takes off. */
const PARTS = new Map([
  ["subTotal", 1],
  ["discountedDeliveryFee", 1],
  ["expressShippingCost", 1],
  ["cartDiscount", -1],
  ["bogoDiscount", -1],
  ["voucherDiscount", -1],
]);

/**
 * @typedef {import("../../shared/decimal.js").Decimal} Decimal
 * @typedef {import("../explain/explain.js").Explained} Explained
 * @typedef {import("../explain/explain.js").Reason} Reason
 */

/**
 * In place of a reason: the money of several that nothing tells apart.
 * @type {Reason}
 */
export const SEVERAL = { decision: null, what: "several reasons at once", policy: null };
/** @type {Reason} */
export const NO_REASON = { decision: null, what: UNEXPLAINED, policy: null };

/**
 * The money of each reason, signed as the right grand total less the left one: together they are all of it.
 * @param {Explained[]} differences of an order; one is that of its grand totals
 * @param {Decimal} delta what these are apart
 * @returns {Map<Reason, Decimal>}
 */
export function moneyByReason(differences, delta) {
  const total = /** @type {Explained} */ (differences.find(({ path }) => path === "grandTotal"));
  const followsOthers = total.roots.length > 0 && !total.roots.includes(total.field);
  const whole = reasonOf(total);
  if (!followsOthers && whole !== SEVERAL) return new Map([[whole, delta]]);
  /** @type {Map<Reason, Sum>} */
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

/**
 * @param {Map<Reason, Sum>} sums
 * @param {Reason} reason
 * @param {Decimal} amount
 */
function addTo(sums, reason, amount) {
  const sum = sums.get(reason) ?? new Sum();
  sum.add(amount);
  sums.set(reason, sum);
}

/**
 * @param {Explained} part
 * @returns {Decimal | undefined}
 */
function movedBy(part) {
  const delta = deltaOf(part);
  return delta && PARTS.get(part.path) === -1 ? subtract(ZERO, delta) : delta;
}

/**
 * The reason that moves most.
 * @param {Map<Reason, Sum>} sums
 */
function largestIn(sums) {
  const sizes = [...sums].map(([reason, { total }]) => ({ reason, size: absolute(total) }));
  return sizes.reduce((most, one) => (order(one.size, most.size) > 0 ? one : most), { reason: SEVERAL, size: ZERO }).reason;
}

/**
 * What explains a difference alone. One that has a reason, and follows from what has none, has two.
 * @param {Explained} difference
 */
function reasonOf({ reasons, roots }) {
  if (reasons.length === 0) return NO_REASON;
  return roots.length === 0 && reasons.length === 1 ? reasons[0] : SEVERAL;
}
