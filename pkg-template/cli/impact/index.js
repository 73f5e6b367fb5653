// What other prices would have done to captured orders.
export { batchesOf, Rooms } from "./batches.js";
export { readChange } from "./change.js";
export { Fingerprint } from "./fingerprint.js";
export { Parts } from "./parts.js";
export { sumOf } from "./sum.js";
export { writeTally } from "./tally-file.js";
export { work } from "./thread.js";
export { Threads } from "./threads.js";
