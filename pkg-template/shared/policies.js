// The policies: for each the decision behind it and its values, the default first. src/options.rs says them.
import { POLICIES } from "../order-fields.js";

/** By name: `{ decision, values, what }`; `what` completes "says". */
export { POLICIES };

export const POLICY_NAMES = Object.keys(POLICIES);

/** The policy of a pricer that is given none. */
export const DEFAULT_POLICY = Object.fromEntries(Object.entries(POLICIES).map(([name, { values }]) => [name, values[0]]));

/** A name in another spelling: `express-surcharge`, or as a variable `EXPRESS_SURCHARGE`. */
export const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
export const variable = (name) => kebab(name).replaceAll("-", "_").toUpperCase();
