// The keys that the module reads.
import { knownKeys } from "./wasm/order_cost.js";

/** The kinds of objects, in the order of the lines of `knownKeys`. */
export const [ORDER, PRODUCT, SHIPPING, SCHEDULE, OPTIONS, POLICY, LIMITS] = [0, 1, 2, 3, 4, 5, 6];

/** The known keys of a kind of object. */
export const keysOf = (kind) => knownKeys().split("\n")[kind].split(",");
