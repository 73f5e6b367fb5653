import { Decimal } from "decimal.js";
import { FREE, PASSING_NUMBERS } from "./arithmetic.js";

/** Enough digits for every product of two doubles' shortest texts, so that nothing is rounded. */
const Exact = Decimal.clone({ precision: 40 });

/** @typedef {InstanceType<typeof Exact>} Amount */

/** @param {number} number */
const exact = (number) => new Exact(number);
const zero = exact(0);
const sum = (a, b) => a.plus(b);
const product = (a, b) => a.times(b);
const numberOf = (a) => a.toNumber();

/** @type {import("./arithmetic.js").Arithmetic<number, Amount, Amount, Amount, Amount>} */
export const arithmetic = {
  name: "decimal.js",
  formats: FREE,
  ...PASSING_NUMBERS,
  money: exact,
  weight: exact,
  share: exact,
  zero,
  noWeight: zero,
  add: sum,
  subtract: (a, b) => a.minus(b),
  times: product,
  atLeastZero: (a) => (a.isNegative() ? zero : a),
  larger: (a, b) => Exact.max(a, b),
  addWeights: sum,
  timesWeight: product,
  portion: product,
  addPortion: sum,
  amountOf: numberOf,
  weightOf: numberOf,
  portionOf: numberOf,
};

const same = (amount) => amount;

/**
 * The same, but every amount is a Decimal from reading to writing, even if it only passes through.
 * @type {import("./arithmetic.js").Arithmetic<Amount, Amount, Amount, Amount, Amount>}
 */
export const everyAmount = {
  ...arithmetic,
  name: "decimal.js, every amount",
  read: exact,
  written: numberOf,
  largest: arithmetic.larger,
  money: same,
  weight: same,
  share: same,
};
