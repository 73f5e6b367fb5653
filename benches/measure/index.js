// Measures: samples, medians, start-up.
export { inTurn, measure, median, pairedRatio, quantile } from "./measure.js";
export { makeReceiptKey } from "./receipt-key.js";
export { measureStartup, memoryBytes, withTag } from "./startup.js";
