// What other prices would have done to captured orders.
export { batchesOf, Rooms } from "./batches.js";
export { readChange } from "./change.js";
export { verdict } from "./limit.js";
export { work } from "./thread.js";
export { Threads } from "./threads.js";
