// The entry for workerd, which imports modules in compiled form and forbids the compilation of bytes.
import { entry } from "./pricer.js";
import { keepRequestsApart } from "./instance.js";
import module from "./wasm/order_cost_bg.wasm";

export { PricingError } from "./error.js";

const source = () => {
  keepRequestsApart();
  return module;
};

export const { createPricer, preload } = entry(source, { source });
