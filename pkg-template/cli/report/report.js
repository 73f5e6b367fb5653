// What `verify` and `replay` say at their end.
import { suggestionText } from "../suggest/index.js";
import { reportTable } from "./report-table.js";

/** Tells the user on stderr what may be a slip. */
export function warn(sentences, terminal) {
  for (const sentence of sentences) terminal.say(`order-cost: ${sentence}`);
}

/** Prints the findings, and a suggestion, as JSON or as tables. */
export async function printReport({ report, suggestion, format }, terminal) {
  const tables = () => [reportTable(report, terminal.color), ...(suggestion ? [suggestionText(suggestion)] : [])].join("\n\n");
  if (format === "json") await terminal.writeJson(`${JSON.stringify({ ...report, suggestion })}\n`);
  else await terminal.write(`${tables()}\n`);
}
