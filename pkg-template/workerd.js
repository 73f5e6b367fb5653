// The entry for workerd. Its tools import the file as it is.
import { compiledAlready } from "./entry.js";
import module from "./wasm/order_cost_bg.wasm";
import { wholeEntry } from "./whole.js";

export { PricingError } from "./error.js";

const source = compiledAlready(module);

export const { createPricer, preload } = wholeEntry(source, source);
