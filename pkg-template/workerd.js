// workerd: modules arrive compiled; compiling bytes is forbidden there.
import { entry } from "./pricer.js";
import { keepRequestsApart } from "./instance.js";
import module from "./wasm/order_cost_bg.wasm";

export { PricingError } from "./error.js";

export const { createPricer, preload } = entry(() => {
  keepRequestsApart();
  return module;
});
