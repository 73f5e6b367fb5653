import { amount, table } from "./table.js";

/** Step by step how a total came about, as a table. */
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
