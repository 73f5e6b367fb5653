// `order-cost/calculate` for the edge runtimes of Next.js and Nitro, see edge.js.
import module from "../wasm/calculate.wasm?module";
import { calculateEntry, compiledAlready } from "./loading/index.js";

export { PricingError } from "../core/index.js";

export const { createPricer, preload } = calculateEntry(compiledAlready(module));
