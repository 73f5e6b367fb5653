import { FREE, PASSING_NUMBERS } from "./arithmetic.js";

const same = (number) => number;
const sum = (a, b) => a + b;
const product = (a, b) => a * b;

/** @type {import("./arithmetic.js").Arithmetic} */
export const arithmetic = {
  name: "floats",
  formats: FREE,
  ...PASSING_NUMBERS,
  money: same,
  weight: same,
  share: same,
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
  addPortion: sum,
  amountOf: same,
  weightOf: same,
  portionOf: same,
};
