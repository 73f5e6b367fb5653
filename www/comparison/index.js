// Views of two answers side by side.
export { createComparisonView } from "./comparison.js";
export { differenceTable, verdict } from "./differences.js";
export { createRawView } from "./raw.js";
