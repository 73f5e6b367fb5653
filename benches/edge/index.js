// Workers under load: their CPU time, memory and reads.
export { measureCoupons, measureLog } from "./beside.js";
export { randomOrder, textsOfChain } from "./branches.js";
export { BRANCHES, codeIn, orderOf, recordOf, writePrices } from "./catalogue.js";
export { measureDecisions } from "./decisions.js";
export { measureIsolate } from "./isolate.js";
export { measureLines } from "./lines.js";
export { DELIVERED, LARGEST, PICKED_UP, price } from "./orders.js";
export { measureReceipts } from "./receipts.js";
export { buildVersion, runData, textsOf } from "./versions.js";
export { startIsolates } from "./workers.js";
