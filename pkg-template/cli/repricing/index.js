// Captured orders: priced again, compared, shown.
export { compareCapture } from "./compare-capture.js";
export { eachCapture } from "./each.js";
export { explainedJson } from "./explained-json.js";
export { explainedTable } from "./explained-table.js";
export { CONTEXT_HOST, Pricers } from "./pricers.js";
export { Repricer } from "./reprice.js";
export { ourSoftware } from "./software.js";
