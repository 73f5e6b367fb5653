// Files on this machine: lines, groups, sorted rows.
export { inGroups } from "./groups.js";
export { Lines } from "./lines.js";
export { replaceFile } from "./replace-file.js";
export { Sorter } from "./sorter.js";
