// Tallies: what was counted of parts, and their sums.
export { Parts } from "./parts.js";
export { sumOf } from "./sum.js";
export { writeTally } from "./tally-file.js";
