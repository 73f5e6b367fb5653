// What other prices would have done to captured orders.
export { batchesOf, Rooms } from "./batches.js";
export { copyCatalogue } from "./catalogue-copy.js";
export { readChange } from "./change.js";
export { IMPACT } from "./tally-file.js";
export { work } from "./thread.js";
export { Threads } from "./threads.js";
