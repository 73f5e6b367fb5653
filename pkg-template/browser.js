// Browsers: the module is fetched from beside this file and compiled as it
// streams in; synchronous compilation is refused on the main thread.
import { facade } from "./facade.js";
import init from "./wasm/order_cost.js";

export { PricingError } from "./error.js";

export const { createPricer, preload } = facade(() =>
  init({ module_or_path: new URL("./wasm/order_cost_bg.wasm", import.meta.url) }),
);
