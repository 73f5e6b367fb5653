// Redaction: a capture holds nobody's data.
export { captureText } from "./capture-text.js";
export { shownPath } from "./path.js";
export { zonesIndexer } from "./zones.js";
