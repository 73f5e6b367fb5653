// The policies as src/options.rs says them: whoever needs their names, values or defaults takes them from here.
import { POLICIES } from "../order-fields.js";

/** By name: `{ decision, values, what }`, the default value first; `what` completes "says". */
export { POLICIES };

export const POLICY_NAMES = Object.keys(POLICIES);

/** The policy of a pricer that is given none. */
export const DEFAULT_POLICY = Object.fromEntries(Object.entries(POLICIES).map(([name, { values }]) => [name, values[0]]));

/** A name in another spelling: `row-total`, or as a variable `ROW_TOTAL`. */
export const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
export const variable = (name) => kebab(name).replaceAll("-", "_").toUpperCase();
