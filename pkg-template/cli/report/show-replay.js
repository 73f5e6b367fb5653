// Shows what a replay comes to, whoever counted it.
import { noCaptures } from "../files/index.js";
import { SIDES } from "./replay-tally.js";
import { printReport, warn } from "./report.js";
import { isWithin, limitSentence } from "./share.js";

/**
 * Prints the report. Returns the exit code.
 * @param {Pick<import("../tally/tally-file.js").Counted, "subject" | "tally">} counted
 * @param {string[]} names where it was counted
 * @param {{ maxDifferent?: import("../../shared/decimal.js").Decimal, format: string, suggest?: () => Promise<any> }} options
 * @param {import("../screen/terminal.js").Terminal} terminal
 */
export async function showReplay({ subject, tally }, names, { maxDifferent, format, suggest }, terminal) {
  const found = tally.report();
  if (found.orders === 0) throw noCaptures(names, found.broken);
  warn(tally.warnings(), terminal);
  const { against, matchRows, reason } = subject;
  const sides = { left: SIDES[against], right: "this version", noun: "capture" };
  const report = { ...sides, limit: limitSentence(found, maxDifferent), matchRows, reason, ...found };
  const suggestion = await suggest?.();
  await printReport({ report, suggestion, format }, terminal);
  return isWithin({ ...report, different: (suggestion ?? report).different }, maxDifferent) ? 0 : 1;
}
