// Turns a host's answers, whatever their type, into JSON text for the module.
import { encoded, jsonText } from "../shared/index.js";
import { hides, NOT_PLAIN } from "./plain.js";

/** A larger answer fails only its own look-up. In the module it would fail all calculations: they share its memory. */
const MOST_ANSWER_BYTES = 128 * 2 ** 20;

/**
 * The bytes of an answer, and whether it has numbers that JSON cannot express. `keys` is the number of records that a
 * list look-up must return, 0 for a single record. Throws what the answer throws while it is read.
 */
export function answerOf(value, keys) {
  if (keys === 0) {
    if (hides(value)) throw new TypeError(`Invalid answer: ${NOT_PLAIN}`);
    const { text, unwritable } = answerText(value ?? null);
    return { bytes: answerBytes(text), unwritable };
  }
  const { texts, unwritable } = recordTexts(value, keys);
  return { texts, bytes: joined(texts), unwritable };
}

/**
 * Joins the texts again after a NUL inside one of them broke the count. Such a text is not JSON, so an empty text,
 * which is not JSON either, replaces it.
 */
export const withoutNul = (texts) => joined(texts.map((text) => (text.includes("\0") ? "" : text)));

/** Joins JSON texts with NUL, which no JSON text may contain. */
const joined = (texts) => texts && answerBytes(texts.join("\0"));

/** The bytes of a text, valid until the next call of `encoded`. */
export function answerBytes(text) {
  const bytes = encoded(text);
  if (bytes.length > MOST_ANSWER_BYTES) throw new RangeError(`The answer is larger than ${MOST_ANSWER_BYTES} bytes`);
  return bytes;
}

/** The JSON text of each record; undefined if the value is not a list of `keys` records (D44). */
function recordTexts(value, keys) {
  if (!Array.isArray(value) || value.length !== keys) return { texts: undefined, unwritable: false };
  const texts = [];
  const unwritable = new Set();
  // By index, not with the list's own iterator: gives one text per key even if the list changes meanwhile.
  for (let index = 0; index < keys; index += 1) {
    const record = value[index];
    const answer = typeof record === "string" ? undefined : answerText(record ?? null);
    texts.push(answer ? answer.text : record);
    if (answer?.unwritable) unwritable.add(index);
  }
  if (unwritable.size === 0) return { texts, unwritable: false };
  return { texts: texts.map((text, index) => (unwritable.has(index) ? text : strict(text))), unwritable: true };
}

/**
 * Replaces a text that is not JSON with an empty one. In the text of an object a bare `NaN` marks an unwritable number;
 * in a host's own text it is a fault.
 */
function strict(text) {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return "";
  }
}

/** The JSON text of an answer. A string already is JSON text. */
export function answerText(value) {
  if (typeof value === "string") return { text: value, unwritable: false };
  const written = jsonText(value);
  // The engine's message names keys of the record, which may belong to another customer (D30). So a cycle counts as
  // text that is not JSON (D44).
  if (isCycle(written.thrown)) return { text: "", unwritable: false };
  if ("thrown" in written) throw written.thrown;
  return written;
}

/** Whether JSON.stringify threw because of a cycle. The message differs by engine. */
const isCycle = (thrown) => thrown instanceof TypeError && /circular|cyclic/i.test(thrown.message);
