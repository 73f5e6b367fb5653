// Captures: what is kept of an order.

export { captureBucket } from "./capture-bucket.js";
export { createCapture } from "./capture-entrypoint.js";
export { createCaptures } from "./captures.js";
export { createDecisions, REASONS } from "./decisions.js";
