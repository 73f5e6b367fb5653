// `order-cost/calculate` for workerd, see workerd.js.
import module from "../wasm/calculate.wasm";
import { calculateEntry, compiledAlready } from "./loading/index.js";

export { PricingError } from "../core/index.js";

export const { createPricer, preload } = calculateEntry(compiledAlready(module));
