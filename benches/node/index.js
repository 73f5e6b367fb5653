// What needs Node: processes, load, files.
export { isInScope, passes } from "./corpus.js";
export { interleave, load, loaded } from "./load.js";
export { startModule } from "./module.js";
export { startNative } from "./native.js";
export { loadShop, seededOrder } from "./shop.js";
export { prepareWorkers, serveWorkers, startWorkerd } from "./workerd.js";
