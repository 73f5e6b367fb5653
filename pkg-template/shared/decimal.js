// Exact decimal numbers: `digits × 10^-scale`.

/** @typedef {{ digits: bigint, scale: bigint }} Decimal */

/**
 * The exact value of a JSON number. Undefined for exponents beyond ±1000, which cost too much to compute, but of a zero: no
 * JavaScript number has one.
 * @overload
 * @param {`${number}`} number
 * @returns {Decimal}
 */
/**
 * @overload
 * @param {string} number
 * @returns {Decimal | undefined}
 */
/** @param {string} number */
export function decimal(number) {
  const [mantissa, exponent = "0"] = number.toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const shift = Number(exponent);
  const digits = BigInt(whole + fraction); // `whole` carries the sign: "-0" and "5" give -5.
  if (Math.abs(shift) > 1000) return digits === 0n ? { digits, scale: 0n } : undefined;
  const scale = BigInt(fraction.length - shift);
  return scale < 0n ? { digits: digits * 10n ** -scale, scale: 0n } : { digits, scale };
}

/**
 * @param {Decimal} a
 * @param {Decimal} b
 */
export function subtract(a, b) {
  return add(a, negate(b));
}

/**
 * @param {Decimal} a
 * @param {Decimal} b
 */
export function add(a, b) {
  const scale = a.scale > b.scale ? a.scale : b.scale;
  return { digits: a.digits * 10n ** (scale - a.scale) + b.digits * 10n ** (scale - b.scale), scale };
}

/**
 * @param {Decimal} a
 * @param {Decimal} b
 */
export function multiply(a, b) {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/**
 * `a ÷ b`, rounded half away from zero to so many decimal places.
 * @param {Decimal} a
 * @param {Decimal} b
 * @param {number} places
 */
export function divide(a, b, places) {
  const scale = BigInt(places);
  const [upper, lower] = [a.digits * 10n ** (b.scale + scale), b.digits * 10n ** a.scale];
  const sign = upper < 0n === lower < 0n ? 1n : -1n;
  const twice = (sign * 2n * upper) / lower; // of the size; what it cuts off never reaches the next half
  return { digits: (sign * (twice + 1n)) / 2n, scale };
}

/** @param {Decimal} number */
function negate({ digits, scale }) {
  return { digits: -digits, scale };
}

/** @param {Decimal} number */
export function absolute(number) {
  return number.digits < 0n ? negate(number) : number;
}

/**
 * Negative, zero or positive, as `a` is less than, equal to or more than `b`.
 * @param {Decimal} a
 * @param {Decimal} b
 */
export function order(a, b) {
  const { digits } = subtract(a, b);
  return digits < 0n ? -1 : Number(digits > 0n);
}

/**
 * In plain notation, without zeros at the end.
 * @param {Decimal} number
 */
export function decimalText({ digits, scale }) {
  const places = Number(scale);
  const text = `${digits < 0n ? -digits : digits}`.padStart(places + 1, "0");
  const whole = text.slice(0, text.length - places);
  const fraction = text.slice(text.length - places).replace(/0+$/, "");
  return `${digits < 0n ? "-" : ""}${whole}${fraction && "."}${fraction}`;
}
