import { entry } from "./entry.js";
import { Pricer } from "./pricer.js";
import { calculate } from "./wasm/version.js";

/** What the entries of `order-cost/calculate` export: pricers without baskets, on a module without them. */
export const calculateEntry = (compile) => entry(Pricer, compile, calculate);
