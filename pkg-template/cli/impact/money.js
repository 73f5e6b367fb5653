// Money as BigInt: an exact number of 10^-28 baht. The module calculates with at most 28 digits after the point (D14), so
// that every amount of an answer fits, and sums need no scale.
import { decimal, decimalText } from "../../shared/index.js";

const SCALE = 28n;
const PLACES = Number(SCALE);
const POWERS = Array.from({ length: PLACES + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/** One baht. */
export const ONE = POWERS[PLACES];

const [MINUS, POINT, ZERO, NINE] = Buffer.from("-.09");

/** So many digits are a safe integer. */
const SAFE_DIGITS = 15;

/**
 * The amount of a JSON number; undefined if the bytes are no number, or one that does not fit.
 * @param {Buffer | undefined} bytes
 * @param {number} [start]
 * @param {number} [end]
 */
export function moneyIn(bytes, start = 0, end = bytes?.length ?? 0) {
  if (bytes === undefined) return undefined;
  const isNegative = bytes[start] === MINUS;
  const first = start + Number(isNegative);
  if (end - first > SAFE_DIGITS) return otherMoney(bytes.toString("latin1", start, end));
  let [digits, point] = [0, end - 1];
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at];
    if (byte >= ZERO && byte <= NINE) digits = 10 * digits + byte - ZERO;
    else if (byte === POINT) point = at;
    else return otherMoney(bytes.toString("latin1", start, end));
  }
  return BigInt(isNegative ? -digits : digits) * POWERS[PLACES - (end - 1 - point)];
}

/**
 * Of a number that is long, or has an exponent.
 * @param {string} text
 */
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

/**
 * The amount of such a text, which is not negative; undefined if it is none.
 * @param {unknown} text
 */
export function moneyOf(text) {
  if (text === "0") return 0n; // most amounts of a tally
  if (typeof text !== "string" || !/^\d+(?:\.\d{1,28})?$/.test(text)) return undefined;
  const point = text.indexOf(".");
  const fraction = point < 0 ? "" : text.slice(point + 1);
  const whole = point < 0 ? text : text.slice(0, point);
  const digits = whole + fraction;
  const number = digits.length <= SAFE_DIGITS ? BigInt(Number(digits)) : BigInt(digits); // of a text it takes longer
  return number * POWERS[PLACES - fraction.length];
}

/** @param {bigint} money */
export const sizeOf = (money) => (money < 0n ? -money : money);
