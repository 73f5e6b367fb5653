// Both sides: how each is asked, and what it answers.
export { ask, DEADLINE_MS, finished, UNREACHABLE } from "./ask.js";
export { MOST_ANSWER_BYTES, together } from "./body.js";
export { asking, createFresh } from "./fresh.js";
export { createLegacy, isPassedBefore } from "./legacy.js";
export { hasCoupons } from "./order.js";
