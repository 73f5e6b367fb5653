// Loads the module.
export { bytesOfBase64 } from "./base64-bytes.js";
export { calculateEntry } from "./calculate-entry.js";
export { compiledAlready } from "./entry.js";
export { LoadFailure } from "./load-failure.js";
export { adviceAt, installed, shown } from "./module-address.js";
export { compiledFrom, missing } from "./module-response.js";
export { bytesOfText } from "./text-bytes.js";
export { wholeEntry } from "./whole.js";
