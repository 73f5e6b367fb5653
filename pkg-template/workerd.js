// The entry for workerd. Its tools import the file as it is.
import { entryWith } from "./entry.js";
import module from "./wasm/order_cost_bg.wasm";

export { PricingError } from "./error.js";

export const { createPricer, preload } = entryWith(module);
