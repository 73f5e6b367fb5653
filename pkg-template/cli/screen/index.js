// What a terminal shows.
export { brokenSentences } from "./broken.js";
export { figure } from "./figure.js";
export { withIds } from "./ids.js";
export { refuseOverwriting, withOutput } from "./output.js";
export { printable } from "./printable.js";
export { progress } from "./progress.js";
export { amount, exactAmount, signedThb, table, thb } from "./table.js";
export { Terminal } from "./terminal.js";
export { default as columnsOf } from "./terminal-width.cjs";
export { wrap } from "./wrap.js";
