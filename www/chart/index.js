// The chart of a bill.
export { barsOf, isBar, isRow } from "./bars.js";
export { waterfall } from "./waterfall.js";
