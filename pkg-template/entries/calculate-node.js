// `order-cost/calculate` for Node, see node.js.
import { base64 } from "../wasm/calculate-base64.js";
import { bytesOfBase64, calculateEntry } from "./loading/index.js";

export { PricingError } from "../core/index.js";

export const { createPricer, preload } = calculateEntry(() => WebAssembly.compile(bytesOfBase64(base64)));
