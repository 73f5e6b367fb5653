// The report of a comparison.
export { Findings } from "./findings.js";
export { printReport, warn } from "./report.js";
export { isWithin, limitSentence, readShare } from "./share.js";
