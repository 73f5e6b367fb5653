// What the command line reads: orders, facts, captures, responses.
export { BrokenLines, brokenIn } from "./broken-lines.js";
export { captureFiles, captureParts, captureRecords, noCaptures, OPTIONS, readCapture, reading } from "./capture-files.js";
export { CapturedZones } from "./captured-zones.js";
export { readFacts, readFactsText } from "./facts-file.js";
export { Broken, Failure, placed, sentence, TOO_MUCH } from "./failure.js";
export { captureHash, Fingerprint } from "./fingerprint.js";
export { openInput, readBytes, readText, shownNames, textOf } from "./input.js";
export { bytesFault, faultSentence, isJson, jsonFault } from "./json-fault.js";
export { recordBlocks } from "./records.js";
export { keyOf, responses } from "./responses.js";
export { list, listOf, Misshapen, objectOf, optional, text, textOrNull, texts, whole } from "./shape.js";
export { sourceOf } from "./source.js";
