import { decimal, decimalText, multiply, order } from "../../shared/index.js";
import { figure } from "../screen/index.js";

const ALL = decimal("100");

/**
 * Reads a share such as `0.1%`, at most `100%`. Undefined if it is none.
 * @param {string} text
 */
export function readShare(text) {
  const number = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1] ?? (text === "0" ? text : undefined);
  const read = number === undefined ? undefined : decimal(number);
  return read && order(read, ALL) <= 0 ? read : undefined;
}

/**
 * Whether at most this share of the orders differs, exactly. An order without a partner differs.
 * @param {{ orders: number, different: number, unmatched: number }} counts
 * @param {import("../../shared/decimal.js").Decimal} [share] in percent
 */
export function isWithin({ orders, different, unmatched }, share = decimal("0")) {
  const hundredfold = decimal(`${(different + unmatched) * 100}`);
  return order(hundredfold, multiply(share, decimal(`${orders}`))) <= 0;
}

/**
 * What a given limit means for the run, as a sentence; null without a limit.
 * @param {Parameters<typeof isWithin>[0]} counts
 * @param {import("../../shared/decimal.js").Decimal} [share] in percent
 */
export function limitSentence(counts, share) {
  if (share === undefined) return null;
  const { orders, different, unmatched } = counts;
  const differing = different + unmatched;
  const percentage = ((differing * 100) / orders).toLocaleString("en", { maximumSignificantDigits: 3 });
  const found = `${figure(differing)} of ${figure(orders)} (${percentage}%)`;
  return `${found} differ, ${decimalText(share)}% may (--max-different): ${isWithin(counts, share) ? "passed" : "failed"}`;
}
