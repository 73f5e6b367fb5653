// Runs an order. It loads late.
export { sentenceOf, stateOf } from "./captured-state.js";
export { run, sidesOf, taken } from "./run.js";
