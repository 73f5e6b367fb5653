// `order-cost` in this page: the module is a file that compiles while it downloads, and the checks of `order-cost/data` use it
// once `preload()` has loaded it.
import { compiledFrom } from "../order-cost/response.js";
import { wholeEntry } from "../order-cost/whole.js";
import file from "../order-cost/wasm/order_cost_bg.wasm?url";

export const { createPricer, preload } = wholeEntry(
  async () => compiledFrom(await fetch(file), file, "Load the page again"),
  () => {
    throw new Error("preload() comes first");
  },
);
