// An impact as a table, and as a page.
export { impactPage } from "./page.js";
export { impactTable } from "./report.js";
