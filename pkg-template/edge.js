// The entry for the edge runtimes of Next.js (condition "edge-light") and of Nitro with `experimental.wasm` ("unwasm"),
// whose bundlers want `?module`. Nitro without that gets the entry that contains the module ("wintercg"): where bytes may
// not be compiled, its error says what to set.
import { compiledAlready } from "./entry.js";
import module from "./wasm/order_cost_bg.wasm?module";
import { wholeEntry } from "./whole.js";

export { PricingError } from "./error.js";

const source = compiledAlready(module);

export const { createPricer, preload } = wholeEntry(source, source);
