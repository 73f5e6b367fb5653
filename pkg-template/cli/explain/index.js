// Why two responses differ.
export { isNear, ZERO } from "./amounts.js";
export { explain, fieldOf, reasonNamed } from "./explain.js";
export { isSpecified } from "./fields.js";
export { REASONS } from "./reasons.js";
export { deltaOf } from "./rounding.js";
export { Sum } from "./sum.js";
