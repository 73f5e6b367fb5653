// Pairs responses, and their rows.
export { PairsByKey } from "./by-key.js";
export { PairsByPosition } from "./by-position.js";
export { hasOtherRows, lacksRowField, pairItems } from "./rows.js";
