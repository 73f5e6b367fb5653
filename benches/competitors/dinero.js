import { add, dinero, isNegative, maximum, multiply, subtract, toDecimal } from "dinero.js";
import { THB } from "dinero.js/currencies";
import { FIXED, PASSING_NUMBERS } from "./arithmetic.js";

/** @typedef {ReturnType<typeof money>} Dinero */

/** @param {number} number */
const money = (number) => dinero({ amount: Math.round(number * 100), currency: THB });
const zero = money(0);
const amountOf = (a) => toDecimal(a, ({ value }) => Number(value));

/**
 * Money in Dinero objects; weights are grams, because they are not money.
 * @type {import("./arithmetic.js").Arithmetic<number, Dinero, number, { amount: number, scale: number }, Dinero>}
 */
export const arithmetic = {
  name: "dinero.js",
  formats: FIXED,
  ...PASSING_NUMBERS,
  money,
  weight: (number) => Math.round(number * 1_000),
  share: (number) => ({ amount: Math.round(number * 10_000), scale: 4 }),
  zero,
  noWeight: 0,
  add,
  subtract,
  times: multiply,
  atLeastZero: (a) => (isNegative(a) ? zero : a),
  larger: (a, b) => maximum([a, b]),
  addWeights: (a, b) => a + b,
  timesWeight: (a, quantity) => a * quantity,
  portion: (share, of) => multiply(of, share),
  addPortion: add,
  amountOf,
  weightOf: (a) => a / 1_000,
  portionOf: amountOf,
};
