// Captures: what is kept of an order.

export { createCapture } from "./capture.js";
export { captureBucket } from "./capture-bucket.js";
export { createCaptures } from "./captures.js";
export { createDecisions, REASONS } from "./decisions.js";
