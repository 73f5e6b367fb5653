// `order-cost/calculate` for pages and for all runtimes without an entry of their own, see inline.js.
import { text } from "../wasm/calculate-text.js";
import { bytesOfText, calculateEntry } from "./loading/index.js";

export { PricingError } from "../core/index.js";

export const { createPricer, preload } = calculateEntry(() => WebAssembly.compile(bytesOfText(text)));
