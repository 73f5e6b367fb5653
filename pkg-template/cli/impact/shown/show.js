// Shows what a tally comes to, whoever counted it.
import { Failure, shownNames } from "../../files/index.js";
import { printable, withOutput } from "../../screen/index.js";
import { verdict } from "../limit.js";
import { impactPage } from "./page.js";
import { impactTable } from "./report.js";

/**
 * @typedef {ReturnType<typeof verdict> & ReturnType<import("../tally.js").Tally["report"]> & { changed: Changed }} Report
 * @typedef {{ version: string | null, zones: string | null, policy: Record<string, string> | null }} Changed what is new; null: it
 *   stays as it was captured
 */

/**
 * Prints the report, and writes the page. Returns the exit code.
 * @param {import("../../tally/tally-file.js").Counted} counted
 * @param {string[]} names where it was counted
 * @param {{ maxImpact?: import("../../../shared/decimal.js").Decimal, format: string, html?: string, at?: Date }} options `at`: the time
 *   that the page names
 * @param {import("../../screen/terminal.js").Terminal} terminal
 */
export async function showImpact({ subject, tally }, names, { maxImpact, format, html, at }, terminal) {
  if (tally.captured.orders === 0) {
    throw new Failure(`${shownNames(names)}: no capture has a total that could be compared`, ...(tally.broken?.first ?? []));
  }
  const limit = verdict(tally, maxImpact);
  const { catalogue: version, zones, policy } = subject;
  const report = { ...limit, changed: { version, zones, policy }, ...tally.report() };
  if (html !== undefined) {
    await withOutput(html, ({ write }) => write(impactPage(report, at)));
  }
  const page = html === undefined ? "" : `\n\nThe same as a page: ${printable(html)}`;
  if (format === "json") await terminal.writeJson(`${JSON.stringify(report)}\n`);
  else await terminal.write(`${impactTable(report, terminal.color)}${page}\n`);
  return limit.passed ? 0 : 1;
}
