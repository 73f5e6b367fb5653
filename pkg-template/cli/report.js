// What `verify` and `replay` say at their end.
import { withOutput } from "./output.js";
import { say } from "./printable.js";
import { reportTable } from "./report-table.js";
import { suggestionText } from "./suggest/text.js";
import { showsColors } from "./table.js";

/** Tells the user on stderr what may be a slip. */
export function warn(sentences) {
  for (const sentence of sentences) say(`order-cost: ${sentence}`);
}

/** Prints the findings, and a suggestion, as JSON or as tables. */
export async function printReport(report, format, suggestion) {
  const tables = () => [reportTable(report, showsColors(process.stdout)), ...(suggestion ? [suggestionText(suggestion)] : [])].join("\n\n");
  const text = format === "json" ? JSON.stringify({ ...report, suggestion }) : tables();
  await withOutput(undefined, ({ write }) => write(`${text}\n`));
}
