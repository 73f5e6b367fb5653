// `order-cost/calculate` for the edge runtimes of Next.js and Nitro, see edge.js.
import { calculateEntry } from "./calculate-entry.js";
import { compiledAlready } from "./entry.js";
import module from "./wasm/calculate.wasm?module";

export { PricingError } from "./error.js";

export const { createPricer, preload } = calculateEntry(compiledAlready(module));
