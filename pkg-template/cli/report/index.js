// The report of a comparison.
export { Findings } from "./findings.js";
export { questionOf, REPLAY } from "./replay-tally.js";
export { printReport, warn } from "./report.js";
export { isWithin, limitSentence, readShare } from "./share.js";
export { showReplay } from "./show-replay.js";
