// The entry for the edge runtimes of Next.js (condition "edge-light") and of Nitro with `experimental.wasm` ("unwasm"),
// whose bundlers want `?module`. Nitro without that gets the entry that contains the module ("wintercg"): where bytes may
// not be compiled, its error says what to set.
import { entryWith } from "./entry.js";
import module from "./wasm/order_cost_bg.wasm?module";

export { PricingError } from "./error.js";

export const { createPricer, preload } = entryWith(module);
