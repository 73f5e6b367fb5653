// JSON text of what JavaScript hands over, and its bytes.

const encoder = new TextEncoder();

/** More than an order of 300 lines has. */
const SCRATCH_BYTES = 256 * 1024;

/** A UTF-16 unit has three bytes at most. */
const MOST_UNIT_BYTES = 3;

let scratch;

/**
 * The JSON text of a value. Where it holds a NaN, an infinity or a BigInt the
 * text has a bare `NaN` there, which the module refuses in every field that is
 * read (D14), and `unwritable` is true. A value that cannot be written at all
 * (a cycle, a getter that throws) gives no text, and what was `thrown`.
 */
export function jsonText(value) {
  try {
    const text = JSON.stringify(value);
    // JSON.stringify turns what it cannot write into null.
    if (text !== undefined && (!text.includes("null") || isWritable(value))) return { text, unwritable: false };
  } catch {
    // A BigInt, or something worse: the careful way tells.
  }
  return carefulText(value);
}

function carefulText(value) {
  // Another one each time: no text of an order can be taken for it.
  const mark = `\0${Math.random()} is not JSON`;
  const markText = JSON.stringify(mark);
  try {
    const text = JSON.stringify(value, (_key, inner) => (isUnwritable(inner) ? mark : inner)) ?? markText;
    const unwritable = text.includes(markText);
    return { text: unwritable ? text.replaceAll(markText, "NaN") : text, unwritable };
  } catch (thrown) {
    return { text: "", unwritable: false, thrown };
  }
}

/** Whether JSON.stringify surely writes all of a value; many times cheaper than having it asked at each. */
function isWritable(value) {
  return typeof value === "object" && value !== null ? areWritable(value) : !isUnwritable(value);
}

/** The same of an object's values. What it inherits is not written; to look at that too is faster than to leave it out. */
function areWritable(object) {
  if (object instanceof Number || typeof object.toJSON === "function") return false;
  if (Array.isArray(object)) return object.every(isWritable);
  for (const key in object) {
    const value = object[key];
    // A string, mostly: not worth a call.
    if (typeof value !== "string" && !isWritable(value)) return false;
  }
  return true;
}

function isUnwritable(value) {
  if (typeof value === "bigint") return true;
  return (typeof value === "number" || value instanceof Number) && !Number.isFinite(Number(value));
}

/**
 * The bytes of a text until the next call, for the module, which copies them at once. Into memory that is there already
 * V8 encodes in a third of the time.
 */
export function encoded(text) {
  if (text.length * MOST_UNIT_BYTES > SCRATCH_BYTES) return encoder.encode(text);
  scratch ??= new Uint8Array(SCRATCH_BYTES);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
