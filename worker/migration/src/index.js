// The shadow Worker: its comparison and options.

export { comparisonOf } from "./comparison.js";
export { exchangeOf } from "./keeper.js";
export { address, defaults, readOptions } from "./options.js";
