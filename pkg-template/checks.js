// The functions of `order-cost/data`. See data.d.ts.
import { withPricingErrors } from "./calculation.js";
import { encoded } from "./json.js";
import { checkPrice, checkZones } from "./wasm/order_cost.js";

/** `load` loads the module before it returns. */
export function checksAfter(load) {
  const checkWith = (check) => (text) => {
    load();
    // Encodes outside the entry: there the error for a text that is too large does not count as damage. Only text is
    // JSON text.
    const bytes = encoded(typeof text === "string" ? text : "");
    const faults = withPricingErrors(undefined, () => check(bytes));
    return faults === undefined ? [] : JSON.parse(faults);
  };
  return { checkPrice: checkWith(checkPrice), checkZones: checkWith(checkZones) };
}
