// Turns JavaScript values into JSON text, and text into bytes.

const encoder = new TextEncoder();

/** More than an order of 300 lines needs. */
const SCRATCH_BYTES = 256 * 1024;

/** A UTF-16 unit takes at most three bytes in UTF-8. */
const MOST_UNIT_BYTES = 3;

let scratch;

/**
 * The JSON text of a value. A NaN, an infinity or a BigInt becomes a bare `NaN`, and `unwritable` is true: the module
 * refuses `NaN` in every field that it reads (D14). Then `nulled` is the text as JSON.stringify writes it. A value that cannot be written at all (a cycle, a getter that
 * throws) gives an empty text and the `thrown` error.
 */
export function jsonText(value) {
  try {
    const text = JSON.stringify(value);
    // JSON.stringify writes null for a NaN or an infinity: a text without null needs no check.
    if (text !== undefined && (!text.includes("null") || isWritable(value))) return { text, unwritable: false };
  } catch {
    // A BigInt, or a value that cannot be written: carefulText finds out.
  }
  return carefulText(value);
}

/** A copy of a value as JSON.stringify writes it, with NaN for what that cannot hold. Throws what the value throws. */
export function jsonCopy(value) {
  const { text, mark, markText } = markedText(value);
  return text.includes(markText) ? JSON.parse(text, (_key, inner) => (inner === mark ? NaN : inner)) : JSON.parse(text);
}

/** The JSON text of a value, in which a mark stands for what JSON cannot hold. */
function markedText(value) {
  // Random each time, so that no text of an order can equal it.
  const mark = `\0${Math.random()} is not JSON`;
  const markText = JSON.stringify(mark);
  const text = JSON.stringify(value, (_key, inner) => (isUnwritable(inner) ? mark : inner)) ?? markText;
  return { text, mark, markText };
}

function carefulText(value) {
  try {
    const { text, markText } = markedText(value);
    if (!text.includes(markText)) return { text, unwritable: false };
    const [marked, nulled] = ["NaN", "null"].map((word) => text.replaceAll(markText, word));
    return { text: marked, nulled, unwritable: true };
  } catch (thrown) {
    return { text: "", unwritable: false, thrown };
  }
}

/** Whether JSON.stringify surely writes all of a value. Many times cheaper than a replacer, which sees every value. */
function isWritable(value) {
  return typeof value === "object" && value !== null ? areWritable(value) : !isUnwritable(value);
}

/** The same for an object. Checks inherited values as well, which are not written: to skip them would be slower. */
function areWritable(object) {
  if (object instanceof Number || typeof object.toJSON === "function") return false;
  if (Array.isArray(object)) return object.every(isWritable);
  for (const key in object) {
    const value = object[key];
    // Most values are strings, which need no call.
    if (typeof value !== "string" && !isWritable(value)) return false;
  }
  return true;
}

function isUnwritable(value) {
  if (typeof value === "bigint") return true;
  return (typeof value === "number" || value instanceof Number) && !Number.isFinite(Number(value));
}

/**
 * The bytes of a text, valid until the next call: the module copies them at once. V8 encodes into existing memory in a
 * third of the time.
 */
export function encoded(text) {
  if (text.length * MOST_UNIT_BYTES > SCRATCH_BYTES) return encoder.encode(text);
  scratch ??= new Uint8Array(SCRATCH_BYTES);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
