// Runs an order. It loads late.
export { sentenceOf, stateOf } from "./capture.js";
export { run, sidesOf, taken } from "./run.js";
