// Money as BigInt: an exact number of 10^-28 baht. The module calculates with at most 28 digits after the point (D14), so
// that every amount of an answer fits, and sums need no scale.
import { decimal, decimalText } from "../../decimal.js";

const SCALE = 28n;
const PLACES = Number(SCALE);
const POWERS = Array.from({ length: PLACES + 1 }, (_, exponent) => 10n ** BigInt(exponent));
const PLAIN = /^-?\d+(?:\.\d+)?$/;

/**
 * The amount of a JSON number's text; undefined if it is no number, or does not fit.
 * @param {string | undefined} text
 */
export function moneyIn(text) {
  if (text === undefined) return undefined;
  if (!PLAIN.test(text)) return otherMoney(text);
  const point = text.indexOf(".");
  if (point < 0) return BigInt(text) * POWERS[PLACES];
  const places = text.length - point - 1;
  if (places > PLACES) return otherMoney(text);
  return BigInt(text.slice(0, point) + text.slice(point + 1)) * POWERS[PLACES - places];
}

/** Of a number with an exponent, or with zeros at its end. */
function otherMoney(text) {
  const read = /^-?\d/.test(text) ? decimal(text) : undefined;
  if (read === undefined) return undefined;
  const shift = SCALE - read.scale;
  if (shift >= 0n) return read.digits * 10n ** shift;
  const divisor = 10n ** -shift;
  return read.digits % divisor === 0n ? read.digits / divisor : undefined;
}

/** @param {bigint} money */
export const exact = (money) => ({ digits: money, scale: SCALE });

/** In plain notation, without zeros at the end. */
export const moneyText = (money) => decimalText(exact(money));

/** @param {bigint} money */
export const sizeOf = (money) => (money < 0n ? -money : money);
