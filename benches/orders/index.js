// The orders that are measured, and their hosts.
export { EDIT, THROTTLED } from "./edits.js";
export { FILLER, fill, fillerFor } from "./filler.js";
export { readyHost } from "./hosts.js";
export { APPEND, EXPLAIN, measureKnown, QUOTES } from "./known.js";
export { close, runSuite } from "./suite.js";
export { facts, work, zonesText } from "./work.mjs";
