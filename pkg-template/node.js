// Node: the module is read from beside this file.
import { readFile } from "node:fs/promises";
import { facade } from "./facade.js";
import { initSync } from "./wasm/order_cost.js";

export { PricingError } from "./error.js";

export const { createPricer, preload } = facade(async () => {
  const bytes = await readFile(new URL("./wasm/order_cost_bg.wasm", import.meta.url));
  initSync({ module: await WebAssembly.compile(bytes) });
});
