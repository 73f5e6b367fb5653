// Makes a version of prices and zones.
export { build } from "./build.js";
