// Reads a response: compares two, checks a receipt, words messages.
export { decode, encodeText } from "./base64url.js";
export { decisionText } from "./decisions.js";
export { fieldDifferences, sameIndices } from "./field-differences.js";
export { hasSigned, isKey, isPart, keyId } from "./receipt-key.js";
