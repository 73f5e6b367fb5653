// The texts, by language.
export { default as en } from "./en.js";
export { default as th } from "./th.js";
