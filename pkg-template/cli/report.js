// What `verify` and `replay` say at their end.
import { withOutput } from "./output.js";
import { say } from "./printable.js";
import { reportTable } from "./report-table.js";
import { showsColors } from "./table.js";

/** Tells the user on stderr what may be a slip. */
export function warn(sentences) {
  for (const sentence of sentences) say(`order-cost: ${sentence}`);
}

/** Prints the findings as JSON or as tables. */
export async function printReport(report, format) {
  const text = format === "json" ? JSON.stringify(report) : reportTable(report, showsColors(process.stdout));
  await withOutput(undefined, ({ write }) => write(`${text}\n`));
}
