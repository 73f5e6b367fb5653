import { amount, table } from "../screen/index.js";

/**
 * A table that shows step by step how the totals came about.
 * @param {{ steps: import("order-cost").ExplainStep[] }} explained
 * @param {boolean} color
 */
export function ledger({ steps }, color) {
  const rows = steps.map(({ rule, path, operands, amount: added, runningTotal }) => [
    rule,
    path ?? "",
    Object.entries(operands)
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),
    amount(added),
    runningTotal === null ? "" : amount(runningTotal),
  ]);
  return table({ head: ["rule", "where", "operands", "amount", "running total"], rows, right: [3, 4], color });
}
