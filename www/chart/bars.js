/** @typedef {import("./waterfall.js").Bar} Bar */

/**
 * The rules whose amounts are shown but not subtracted (rule 10). Other steps without a running total only lead up to
 * amounts.
 */
const TOLD = new Set(["two4Discount", "percentageDiscount"]);

/**
 * What has a bar: a step; or the subtotal or the grand total, which are a rule and an amount.
 * @typedef {Partial<Omit<import("order-cost").ExplainStep, "rule">> & { rule: string, amount: number }} Barred
 */

/**
 * Whether a step adds up the products.
 * @param {Pick<import("order-cost").ExplainStep, "path">} step
 */
export const isRow = ({ path }) => path?.startsWith("productList") ?? false;

/**
 * Whether a step has a bar.
 * @param {import("order-cost").ExplainStep} step
 */
export const isBar = ({ amount, runningTotal, rule }) => amount !== 0 && (runningTotal !== null || TOLD.has(rule));

/**
 * The bars of a bill: the steps of `explain`, and the grand total last.
 * @param {import("order-cost").ExplainStep[]} steps
 * @param {{ subTotal: number, grandTotal: number }} totals
 * @param {(step: Barred) => Pick<Bar, "name" | "note">} describe
 * @param {{ withRows?: boolean }} [options] whether each product row has a bar; else the subtotal stands for all
 * @returns {Bar[]}
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
  /** @type {(rule: string, amount: number) => Bar} */
  const whole = (rule, amount) => ({ kind: "total", from: 0, to: amount, amount, ...describe({ rule, amount }) });
  return [...(withRows ? [] : [whole("subTotal", subTotal)]), ...bars, whole("grandTotal", grandTotal)];
}

/**
 * @param {import("order-cost").ExplainStep} step
 * @param {number} from
 * @returns {Omit<Bar, "name" | "note">}
 */
function shapeOf({ amount, runningTotal }, from) {
  if (runningTotal === null) return { kind: "told", from, to: from - amount, amount };
  return { kind: amount < 0 ? "discount" : "charge", from, to: runningTotal, amount };
}
