// Cold starts: the first use of each entrant in Node, workerd and a page.
export { ENTRANTS } from "./entrants.js";
export { given } from "./given.js";
export { timeInNode } from "./node.js";
export { pageFiles, timeInPage, withPage } from "./page.js";
export { coldReport, coldSummary } from "./report.js";
export { workerOf } from "./workerd.js";
