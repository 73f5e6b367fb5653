// What people wrote: rows of prices, zones, names of columns.

export { openFiles, passOver, readInput } from "./build-input.js";
export { KEY_COLUMNS, PRICE_COLUMNS, RECORD_COLUMNS } from "./columns.js";
export { FieldCounts, lostBetween } from "./fields.js";
export { quoted, shown } from "./names.js";
export { priceOf } from "./price-row.js";
export { openFile } from "./rows.js";
export { zonesText } from "./zones.js";
