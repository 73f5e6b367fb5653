// The editor. It loads late.
export { createUpgrade } from "./upgrade.js";
