// An impact as a table, and as a page.
export { showImpact } from "./show.js";
