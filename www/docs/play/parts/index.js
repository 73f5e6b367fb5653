// Parts of the playground's page.
export { colours } from "./colours.js";
export { copyButton } from "./copy.js";
export { createField } from "./field.js";
export { createFileInput } from "./files.js";
export { count, money, signed } from "./format.js";
export { laidOut } from "./layout.js";
export { decisionLink, pageLink } from "./page-link.js";
export { createTabs } from "./tabs.js";
