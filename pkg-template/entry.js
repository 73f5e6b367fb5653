// What the entries of the package export.
import { withPricingErrors } from "./calculation.js";
import { keepRequestsApart } from "./instance.js";
import { checks } from "./internal.js";
import { encoded } from "./json.js";
import { loading, loadingNow } from "./loading.js";
import { Pricer } from "./pricer.js";
import { checkPrice, checkZones } from "./wasm/order_cost.js";

/**
 * Makes an entry. `compile` returns the compiled module. `source` returns the module, compiled or as bytes, for those who
 * cannot wait.
 */
export function entry(compile, { source } = {}) {
  const preload = loading(compile);

  async function createPricer(host, options) {
    await preload();
    return new Pricer(host, options ?? {});
  }

  if (source) createPricer[checks] = checksAfter(loadingNow(source));
  return { createPricer, preload };
}

/** Makes an entry for edge runtimes, which import the module in compiled form and forbid the compilation of bytes. */
export function entryWith(module) {
  const source = () => {
    keepRequestsApart();
    return module;
  };
  return entry(source, { source });
}

/** The functions of `order-cost/data`, see data.d.ts. `load` loads the module before it returns. */
function checksAfter(load) {
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
