import { allAtNight } from "../effort.js";

/** The module formats of an entry, by name. By day CommonJS has only the tests of the examples, which require it. */
export const formats = (imported, required) => Object.entries({ "an ES module": imported, ...allAtNight({}, { CommonJS: required }) });
