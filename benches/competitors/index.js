// The competitors. Each has its own copy of the rules: V8 stores what it learns about a function's operands with the
// function, so a shared copy would make the fast arithmetics pay for the slow ones.
import { arithmetic as decimal, everyAmount } from "./decimal.js";
import { arithmetic as dinero } from "./dinero.js";
import { arithmetic as float } from "./floats.js";
import { arithmetic as integer } from "./integers.js";
import { competitor as decimals } from "./price.js?decimal.js";
import { competitor as dineros } from "./price.js?dinero.js";
import { competitor as everyDecimal } from "./price.js?every-decimal";
import { competitor as floats } from "./price.js?floats";
import { competitor as integers } from "./price.js?integers";

const entry = (competitor, arithmetic) => ({
  name: arithmetic.name,
  formats: arithmetic.formats,
  createPricer: competitor(arithmetic),
});

export const COMPETITORS = [
  entry(floats, float),
  entry(integers, integer),
  entry(dineros, dinero),
  entry(decimals, decimal),
  entry(everyDecimal, everyAmount),
];
