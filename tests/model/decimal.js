/**
 * Exact decimals on BigInt: `units × 10^-places`, always in lowest terms (no trailing zero in `units` if `places` > 0),
 * so that equal amounts are equal objects.
 * @typedef {{ units: bigint, places: number }} Decimal
 */

const LIMIT = 2n ** 96n; // D14: |units| < 2^96
const MAX_PLACES = 28; // D14
const FAR = 1000n; // exponents of values within D14 are far smaller

/** @param {number} places */
function power(places) {
  return 10n ** BigInt(places);
}

/** @param {bigint} units */
function decimal(units, places = 0) {
  while (places > 0 && units % 10n === 0n) {
    units /= 10n;
    places -= 1;
  }
  return { units, places };
}

export const ZERO = decimal(0n);
export const ONE = decimal(1n);
export const integer = (value) => decimal(BigInt(value));

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The exact value of a JSON number's text; undefined if its exponent is absurd.
 * @param {string} text
 */
export function parseDecimal(text) {
  const [, sign, whole, fraction = "", exponent = "0"] = /** @type {RegExpExecArray} */ (NUMBER.exec(text));
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  if (digits === "") return ZERO;
  const significant = digits.replace(/0+$/, "");
  const power10 = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  if (power10 > FAR || power10 < -FAR) return undefined;
  const units = BigInt(sign + significant);
  return power10 >= 0n ? decimal(units * 10n ** power10) : decimal(units, Number(-power10));
}

/** @param {Decimal} a @param {Decimal} b */
export function add(a, b) {
  const places = Math.max(a.places, b.places);
  return decimal(a.units * power(places - a.places) + b.units * power(places - b.places), places);
}

/** @param {Decimal} a @param {Decimal} b */
export function subtract(a, b) {
  return add(a, { units: -b.units, places: b.places });
}

/** @param {Decimal[]} list */
export function sum(list) {
  return list.reduce(add, ZERO);
}

/** The exact product, of any length; see roundToFit. @param {Decimal} a @param {Decimal} b */
export function multiply(a, b) {
  return decimal(a.units * b.units, a.places + b.places);
}

export function isNegative(a) {
  return a.units < 0n;
}

export function max(a, b) {
  return isNegative(subtract(a, b)) ? b : a;
}

export function equals(a, b) {
  return a.units === b.units && a.places === b.places;
}

function fitsUnits(units) {
  return -LIMIT < units && units < LIMIT;
}

/** D14: whether the exact value is m × 10^-s with |m| < 2^96 and s <= 28. */
export function fits(a) {
  return a.places <= MAX_PLACES && fitsUnits(a.units);
}

/**
 * D19: the nearest value that fits, rounded half to even, with as many places as possible (28 at most); undefined if
 * none fits.
 */
export function roundToFit(a) {
  for (let places = MAX_PLACES; places >= 0; places -= 1) {
    const units = unitsAt(a, places);
    if (fitsUnits(units)) return decimal(units, places);
  }
  return undefined;
}

/** a × 10^places as an integer, rounded half to even. */
function unitsAt(a, places) {
  if (places >= a.places) return a.units * power(places - a.places);
  const divisor = power(a.places - places);
  const sign = a.units < 0n ? -1n : 1n;
  const magnitude = a.units * sign;
  const quotient = magnitude / divisor;
  const twiceRest = (magnitude % divisor) * 2n;
  const up = twiceRest > divisor || (twiceRest === divisor && quotient % 2n === 1n);
  return sign * (up ? quotient + 1n : quotient);
}

/** D5: plain notation, shortest, never -0. */
export function decimalText(a) {
  const sign = a.units < 0n ? "-" : "";
  const digits = String(a.units * (a.units < 0n ? -1n : 1n)).padStart(a.places + 1, "0");
  if (a.places === 0) return sign + digits;
  return `${sign}${digits.slice(0, -a.places)}.${digits.slice(-a.places)}`;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** D8: the integer of a JSON number's text; undefined if it is not an integer or is out of range. */
export function parseInteger(text) {
  const value = parseDecimal(text);
  if (!value || value.places > 0 || value.units > MAX_SAFE || value.units < -MAX_SAFE) return undefined;
  return Number(value.units);
}

/** D14: the amount of a JSON number's text, 0 or more; undefined if it is not an amount or is out of range. */
export function parseAmount(text) {
  const value = parseDecimal(text);
  return value && fits(value) && !isNegative(value) ? value : undefined;
}
