import { t, zoneName } from "../page/language.js";

/**
 * The rules whose amounts are shown but not subtracted (rule 10). Other steps without a running total only lead up to
 * amounts.
 */
const TOLD = new Set(["two4Discount", "percentageDiscount"]);
const isBar = ({ path, amount, runningTotal, rule }) =>
  amount !== 0 && !path?.startsWith("productList") && (runningTotal !== null || TOLD.has(rule));

/**
 * The bars of a bill: the steps of `explain`. The product rows become one subtotal, and the grand total comes last.
 * @param {import("order-cost").ExplainStep[]} steps
 * @param {import("order-cost").BasketSnapshot} snapshot what they are the steps of
 * @param {object} zones GeoJSON
 * @returns {import("../views/waterfall.js").Bar[]}
 */
export function barsOf(steps, { totals, discountResult, validVouchers }, zones) {
  const zone = zones.features[chosenFeature(steps)];
  let total = totals.subTotal;
  const bars = steps.filter(isBar).map((step) => {
    const from = total;
    total = step.runningTotal ?? total;
    return barOf(step, from, noteOf(step, { discountResult, validVouchers }, zone));
  });
  return [whole("subTotal", totals.subTotal), ...bars, whole("grandTotal", totals.grandTotal)];
}

/** The file index of the zone that set the fee; undefined if no zone did. */
export const chosenFeature = (steps) =>
  steps.find(({ rule, operands }) => rule === "zone" && operands.isChosen)?.operands.feature;

const whole = (rule, amount) => ({ kind: "total", name: t(`rule.${rule}`), from: 0, to: amount, amount });

function barOf({ rule, amount, runningTotal }, from, note) {
  const name = t(`rule.${rule}`);
  if (runningTotal === null)
    return { kind: "told", name, note: t("bill.notSubtracted"), from, to: from - amount, amount };
  return { kind: amount < 0 ? "discount" : "charge", name, note, from, to: runningTotal, amount };
}

/** What an amount is based on. */
function noteOf({ rule, path, operands }, reductions, zone) {
  const slot = Number(/scheduleList\[(\d+)\]/.exec(path)?.[1]) + 1;
  switch (rule) {
    case "deliveryFee":
      if (operands.mode === "NATIONWIDE")
        return t("note.parcel", { slot, parcel: t(`parcel.${operands.nationwideMode}`) });
      return t("note.zone", { slot, zone: zoneName(zone) });
    case "expressFee":
      return t("note.express", { slot });
    case "floor":
      return t(path === "grandTotal" ? "note.totalFloor" : "note.deliveryFloor");
    default:
      return named(operands, reductions).join(", ");
  }
}

/** The codes of the coupons and vouchers in an amount. */
function named(operands, { discountResult, validVouchers }) {
  return Object.entries(operands).flatMap(([path, amount]) => {
    const [, list, index] = /(discounts|validVouchers)\[(\d+)\]/.exec(path) ?? [];
    if (list === undefined || amount === 0) return [];
    return list === "discounts" ? discountResult.discounts[index].coupon : validVouchers[index].voucherId;
  });
}
