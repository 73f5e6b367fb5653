/**
 * The rules whose amounts are shown but not subtracted (rule 10). Other steps without a running total only lead up to
 * amounts.
 */
const TOLD = new Set(["two4Discount", "percentageDiscount"]);

/** Whether a step adds up the products. */
export const isRow = ({ path }) => path?.startsWith("productList") ?? false;

/** Whether a step has a bar. */
export const isBar = ({ amount, runningTotal, rule }) => amount !== 0 && (runningTotal !== null || TOLD.has(rule));

/**
 * The bars of a bill: the steps of `explain`, and the grand total last.
 * @param {import("order-cost").ExplainStep[]} steps
 * @param {{ subTotal: number, grandTotal: number }} totals
 * @param {(step: { rule: string }) => { name: string, note?: string }} describe
 * @param {{ withRows?: boolean }} [options] whether each product row has a bar; else the subtotal stands for all
 * @returns {import("../views/waterfall.js").Bar[]}
 */
export function barsOf(steps, { subTotal, grandTotal }, describe, { withRows = false } = {}) {
  let total = withRows ? 0 : subTotal;
  const bars = steps
    .filter((step) => isBar(step) && (withRows || !isRow(step)))
    .map((step) => {
      const from = total;
      total = step.runningTotal ?? total;
      return { ...shapeOf(step, from), ...describe(step) };
    });
  const whole = (rule, amount) => ({ kind: "total", from: 0, to: amount, amount, ...describe({ rule, amount }) });
  return [...(withRows ? [] : [whole("subTotal", subTotal)]), ...bars, whole("grandTotal", grandTotal)];
}

function shapeOf({ amount, runningTotal }, from) {
  if (runningTotal === null) return { kind: "told", from, to: from - amount, amount };
  return { kind: amount < 0 ? "discount" : "charge", from, to: runningTotal, amount };
}
