// Results as text: figures, tables, charts.
export { chart } from "./chart.js";
export { figure, heading, table, writeFigures } from "./markdown.js";
export { report, summary } from "./tables.js";
export { higher, lower, missedTable, missedText, targetTable } from "./targets.js";
