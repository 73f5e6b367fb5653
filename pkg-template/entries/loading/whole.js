// What the entries of the whole package export: pricers with baskets, and the checks of `order-cost/data`.
import { BasketPricer } from "../../basket/index.js";
import { checks, hidingPart, refusing, takeJob, withoutUnknown, withPricingErrors } from "../../core/index.js";
import { Pricer } from "../../pricer/index.js";
import { encoded } from "../../shared/index.js";
import { checkPrice, checkZones, requestId } from "../../wasm/order_cost.js";
import { whole } from "../../wasm/version.js";
import { entry } from "./entry.js";
import { loadingNow } from "./loading.js";

/** As `entry`. `source` returns the module, compiled or as bytes, for those who cannot wait. */
export function wholeEntry(compile, source) {
  const made = entry(BasketPricer, compile, whole);
  if (source) made.createPricer[checks] = checksAfter(loadingNow(source, whole));
  return made;
}

/** What `order-cost/data` needs, see data.d.ts. `load` loads the module before it returns. */
function checksAfter(load) {
  const checkWith = (check) => (text) => {
    load();
    // Encodes outside the entry: there the error for a text that is too large does not count as damage. Only text is
    // JSON text.
    const bytes = encoded(typeof text === "string" ? text : "");
    const faults = withPricingErrors(undefined, () => check(bytes));
    return faults === undefined ? [] : JSON.parse(faults);
  };
  /** Calls `use` with a function that reads an order as a pricer with these options does, and throws its refusal. */
  const reading = (options, use) => {
    load();
    const { pricing, read } = Pricer.forBaskets(new Pricer({}, options), () => {});
    const job = takeJob();
    try {
      return refusing(() => use((written) => read(job, written)), requestId);
    } finally {
      job.free();
      pricing().free();
    }
  };
  const partOf = (order) => {
    load();
    return hidingPart(order);
  };
  return { checkPrice: checkWith(checkPrice), checkZones: checkWith(checkZones), reading, hidingPart: partOf, withoutUnknown };
}
