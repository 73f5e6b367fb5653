import { Pricer } from "../../pricer/index.js";
import { calculate } from "../../wasm/version.js";
import { entry } from "./entry.js";

/** What the entries of `order-cost/calculate` export: pricers without baskets, on a module without them. */
export const calculateEntry = (compile) => entry(Pricer, compile, calculate);
