// The shadow Worker: its comparison and options.
export { exchangeOf } from "./captures.js";
export { comparisonOf } from "./comparison.js";
export { address, defaults, readOptions } from "./options.js";
