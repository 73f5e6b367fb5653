// The view of a captured order. It loads late.
export { createCapturedView } from "./captured.js";
