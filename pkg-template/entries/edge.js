// The entry for the edge runtimes of Next.js (condition "edge-light") and of Nitro with `experimental.wasm` ("unwasm"),
// whose bundlers want `?module`. Nitro without that gets the entry that contains the module ("wintercg"): where bytes may
// not be compiled, its error says what to set.
import module from "../wasm/order_cost_bg.wasm?module";
import { compiledAlready, wholeEntry } from "./loading/index.js";

export { PricingError } from "../core/index.js";

const source = compiledAlready(module);

export const { createPricer, preload } = wholeEntry(source, source);
