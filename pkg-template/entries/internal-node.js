// `order-cost/internal` on Node, see internal.js.
export { commonEra, overwritten, refuseRepeated } from "../cli/arguments/index.js";
export { readIncoming } from "../http/index.js";
export * from "./internal.js";
