import { MODES } from "order-cost/internal";
import { barsOf } from "../chart/index.js";
import { t, zoneName } from "../page/index.js";

/**
 * @typedef {import("../model/shop.js").Zone} Zone
 *
 * The bars of a bill. The product rows become one subtotal.
 * @param {import("order-cost").ExplainStep[]} steps
 * @param {import("order-cost").BasketSnapshot} snapshot what they are the steps of
 * @param {Pick<import("../model/shop.js").Zones, "features">} zones
 * @returns {import("../chart/waterfall.js").Bar[]}
 */
export function ledgerBars(steps, { totals, discountResult, validVouchers }, zones) {
  const zone = chosenZone(steps, zones);
  return barsOf(steps, totals, (step) => ({ name: t(`rule.${step.rule}`), note: noteOf(step, { discountResult, validVouchers }, zone) }));
}

/**
 * The zone that set the fee; undefined if no zone did.
 * @param {import("order-cost").ExplainStep[]} steps
 * @param {Pick<import("../model/shop.js").Zones, "features">} zones
 */
export function chosenZone(steps, { features }) {
  const chosen = steps.find(({ rule, operands }) => rule === "zone" && operands.isChosen);
  return chosen && features[Number(chosen.operands.feature)];
}

/**
 * What an amount is based on.
 * @param {import("../chart/bars.js").Barred} step
 * @param {Pick<import("order-cost").BasketSnapshot, "discountResult" | "validVouchers">} reductions
 * @param {Zone | undefined} zone
 */
function noteOf({ rule, path, operands, runningTotal }, reductions, zone) {
  if (operands === undefined) return undefined; // the subtotal or the total
  if (runningTotal === null) return t("bill.notSubtracted");
  const slot = Number(/scheduleList\[(\d+)\]/.exec(path ?? "")?.[1]) + 1;
  switch (rule) {
    case "deliveryFee":
      // A mode that is free has no bar.
      return t(`note.${MODES[String(operands.mode)].source}`, {
        slot,
        zone: zone && zoneName(zone),
        parcel: operands.nationwideMode && t(`parcel.${operands.nationwideMode}`),
      });
    case "expressFee":
      return t("note.express", { slot });
    case "floor":
      return t(path === "grandTotal" ? "note.totalFloor" : "note.deliveryFloor");
    default:
      return named(operands, reductions).join(", ");
  }
}

/**
 * The codes of the coupons and vouchers in an amount.
 * @param {import("order-cost").ExplainStep["operands"]} operands
 * @param {Pick<import("order-cost").BasketSnapshot, "discountResult" | "validVouchers">} reductions
 */
function named(operands, { discountResult, validVouchers }) {
  return Object.entries(operands).flatMap(([path, amount]) => {
    const [, list, index] = /(discounts|validVouchers)\[(\d+)\]/.exec(path) ?? [];
    if (list === undefined || amount === 0) return [];
    return list === "discounts" ? discountResult.discounts[index].coupon : validVouchers[index].voucherId;
  });
}
