import { FIXED, PASSING_NUMBERS } from "./arithmetic.js";

const sum = (a, b) => a + b;
const product = (a, b) => a * b;

/**
 * Satang, grams and hundredths of a percent, all as safe integers. A portion is in 10^-6 baht.
 * @type {import("./arithmetic.js").Arithmetic}
 */
export const arithmetic = {
  name: "safe integers",
  formats: FIXED,
  ...PASSING_NUMBERS,
  money: (number) => Math.round(number * 100),
  weight: (number) => Math.round(number * 1_000),
  share: (number) => Math.round(number * 10_000),
  zero: 0,
  noWeight: 0,
  add: sum,
  subtract: (a, b) => a - b,
  times: product,
  atLeastZero: (a) => (a > 0 ? a : 0),
  larger: Math.max,
  addWeights: sum,
  timesWeight: product,
  portion: product,
  addPortion: (a, b) => a * 10_000 + b,
  amountOf: (a) => a / 100,
  weightOf: (a) => a / 1_000,
  portionOf: (a) => a / 1_000_000,
};
