import { Fault } from "./fault.js";
import { NotJson, readJson } from "./json.js";

const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** The bytes of a case's body. */
export function bodyBytes({ body, bodyBase64, order }) {
  if (bodyBase64 !== undefined) return Uint8Array.from(atob(bodyBase64), (character) => character.charCodeAt(0));
  return new TextEncoder().encode(body ?? JSON.stringify(order));
}

/** The JSON of the body. Checks the size first, then D10. */
export function readBody(testCase) {
  const bytes = bodyBytes(testCase);
  const limit = testCase.options?.limits?.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  if (bytes.length > limit) throw new Fault("LIMIT_EXCEEDED", `Request body is larger than ${limit} bytes`);
  try {
    // The decoder throws a TypeError on invalid UTF-8 and drops one leading byte order mark.
    return readJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof NotJson || error instanceof TypeError)) throw error;
    throw new Fault("INVALID_JSON", "Failed to parse request body");
  }
}
