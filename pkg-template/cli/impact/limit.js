// `--max-impact`: how much of the captured money may move.
import { decimal, decimalText, divide, multiply, order } from "../../shared/index.js";
import { exact } from "./money.js";

const HUNDRED = decimal("100");
const PLACES = 4;
const MOST_PLACES = 28;

/**
 * What share of the captured money moves, and whether that is within a limit. The verdict is exact, the shown share rounded.
 * @param {{ moved: bigint, captured: { money: bigint } }} tally
 * @param {import("../../shared/decimal.js").Decimal} [limit] a percentage; undefined: there is none
 */
export function verdict({ moved, captured: { money } }, limit) {
  const hundredfold = multiply(exact(moved), HUNDRED);
  const share = money === 0n ? null : shownShare(hundredfold, exact(money));
  if (limit === undefined) return { share, limit: null, passed: true };
  return { share, limit: decimalText(limit), passed: order(hundredfold, multiply(limit, exact(money))) <= 0 };
}

/** Rounded; but what moves is never shown as nothing. */
function shownShare(hundredfold, money) {
  const rounded = divide(hundredfold, money, PLACES);
  return decimalText(rounded.digits === 0n ? divide(hundredfold, money, MOST_PLACES) : rounded);
}
