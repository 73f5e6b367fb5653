// Arithmetic on amounts that may be missing: without one of its terms a result is undefined.
import { absolute, add, decimal, member, multiply, numberText, order, subtract, typeOf } from "../../shared/index.js";

const ifKnown =
  (calculate) =>
  (...amounts) =>
    amounts.includes(undefined) ? undefined : calculate(...amounts);

export const ZERO = { digits: 0n, scale: 0n };
export const FIFTY = { digits: 50n, scale: 0n };
const HALF_SATANG = { digits: 5n, scale: 3n };

/** The number in a field of an object; undefined if there is none. */
export function amountIn(object, name) {
  const value = member(object, name);
  return typeOf(value) === "number" ? decimal(numberText(value)) : undefined;
}

export const plus = ifKnown((...amounts) => amounts.reduce(add, ZERO));
export const minus = ifKnown((first, ...others) => others.reduce(subtract, first));
export const times = ifKnown(multiply);
export const atLeast0 = ifKnown((amount) => (isNegative(amount) ? ZERO : amount));
export const smallest = ifKnown((...amounts) => amounts.reduce((a, b) => (order(a, b) < 0 ? a : b)));
/** Of a list, which may be missing itself, or longer than a function has arguments. */
const ofList = (calculate) => (amounts) => (amounts === undefined || amounts.includes(undefined) ? undefined : calculate(amounts));
export const sum = ofList((amounts) => amounts.reduce(add, ZERO));
/** At least 0. */
export const largest = ofList((amounts) => amounts.reduce((a, b) => (order(a, b) < 0 ? b : a), ZERO));

export const isNegative = ({ digits }) => digits < 0n;
export const isZero = ({ digits }) => digits === 0n;
export const isMore = (a, b) => order(a, b) > 0;

export function distance(a, b) {
  return absolute(subtract(a, b));
}

/** Whether two amounts differ by half a satang at most: by the noise of floats, or by rounding. */
export function isNear(a, b) {
  return a !== undefined && b !== undefined && !isMore(distance(a, b), HALF_SATANG);
}

/** Whether two amounts differ no more than results of floating-point arithmetic do. */
export function isNoise(a, b) {
  const size = largest([absolute(a), { digits: 1n, scale: 0n }]);
  return !isMore(distance(a, b), multiply(size, { digits: 1n, scale: 9n }));
}
