// Captured orders: priced again, compared, shown.
export { compareCapture } from "./compare.js";
export { eachCapture } from "./each.js";
export { explainedJson } from "./json.js";
export { CONTEXT_HOST, Pricers } from "./pricers.js";
export { Repricer } from "./reprice.js";
export { ourSoftware } from "./software.js";
export { explainedTable } from "./table.js";
