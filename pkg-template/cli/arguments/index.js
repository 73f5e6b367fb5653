// Arguments that need a check: files to overwrite, options given twice, dates of the Buddhist era.
export { commonEra } from "./buddhist-year.js";
export { overwritten } from "./overwriting.js";
export { refuseRepeated } from "./repeated-options.js";
