// The digits of numbers: how two of them differ that are the same but for their last digits.
import { decimal, numberText, typeOf } from "../../shared/index.js";
import { isNear, isNoise } from "./amounts.js";
import { isMoney } from "./fields.js";

/**
 * D19: "noise" of floats, or "rounding" to the satang, which only money has: half a satang at most. Undefined if the
 * values differ by more, or are no numbers.
 */
export function lastDigits({ left, right, field }) {
  if (typeOf(left) !== "number" || typeOf(right) !== "number") return undefined;
  const [a, b] = [left, right].map((value) => decimal(numberText(value)));
  if (!isNear(a, b)) return undefined;
  if (isNoise(a, b)) return "noise";
  return isMoney(field) ? "rounding" : undefined;
}
