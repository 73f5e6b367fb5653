// The captures that an impact is measured on.
export { writeImpactCase } from "./captures.js";
