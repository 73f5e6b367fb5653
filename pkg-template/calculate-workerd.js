// `order-cost/calculate` for workerd, see workerd.js.
import { calculateEntry } from "./calculate-entry.js";
import { compiledAlready } from "./entry.js";
import module from "./wasm/calculate.wasm";

export { PricingError } from "./error.js";

export const { createPricer, preload } = calculateEntry(compiledAlready(module));
