// The entry for workerd. Its tools import the file as it is.
import module from "../wasm/order_cost_bg.wasm";
import { compiledAlready, wholeEntry } from "./loading/index.js";

export { PricingError } from "../core/index.js";

const source = compiledAlready(module);

export const { createPricer, preload } = wholeEntry(source, source);
