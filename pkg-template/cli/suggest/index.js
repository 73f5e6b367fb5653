// The policies with which an answer of ours fits the other side.
export { countingOf } from "./counting.js";
export { AnsweredOrders, CapturedOrders, capturedOrder } from "./origins.js";
export { suggesterOf } from "./suggester.js";
export { suggestionText } from "./text.js";
