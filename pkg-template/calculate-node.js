// `order-cost/calculate` for Node, see node.js.
import { bytesOf } from "./base64-bytes.js";
import { calculateEntry } from "./calculate-entry.js";
import { base64 } from "./wasm/calculate-base64.js";

export { PricingError } from "./error.js";

export const { createPricer, preload } = calculateEntry(() => WebAssembly.compile(bytesOf(base64)));
