// What the command line reads: orders, facts, captures, responses.
export { captureFiles, captureParts, capturesOf, noCaptures, OPTIONS, zonesFile, zonesFolders } from "./capture-files.js";
export { readFacts, readFactsText } from "./facts-file.js";
export { Failure, placed, sentence, TOO_MUCH } from "./failure.js";
export { openInput, readBytes, readText, textOf } from "./input.js";
export { bytesFault, faultSentence, isJson, jsonFault } from "./json-fault.js";
export { recordBlocks } from "./records.js";
export { keyOf, responses } from "./responses.js";
export { sourceOf } from "./source.js";
