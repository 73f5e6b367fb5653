// The log, and the words for failures.
export { Failure, networkText } from "./failure.js";
export { cut, errorText, log, printable, takeLines } from "./log.js";
export { HIDDEN, masked } from "./mask.js";
