// `order-cost/calculate` for pages and for all runtimes without an entry of their own, see inline.js.
import { calculateEntry } from "./calculate-entry.js";
import { bytesOf } from "./text-bytes.js";
import { text } from "./wasm/calculate-text.js";

export { PricingError } from "./error.js";

export const { createPricer, preload } = calculateEntry(() => WebAssembly.compile(bytesOf(text)));
