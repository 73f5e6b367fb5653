// A host's answers on their way into the module: as JSON text, whatever they are.
import { encoded, jsonText } from "./json.js";

/** A look-up that answers more fails by itself. In the module, whose memory is everybody's, all would. */
const MOST_ANSWER_BYTES = 128 * 2 ** 20;

/**
 * The bytes of an answer, and whether it has numbers that JSON cannot write. `keys` is how many records it owes, 0 for a
 * single one. Throws what the answer throws while it is read.
 */
export function answerOf(value, keys) {
  if (keys === 0) {
    const { text, unwritable } = answerText(value);
    return { bytes: answerBytes(text), unwritable };
  }
  const { texts, unwritable } = recordTexts(value, keys);
  return { texts, bytes: joined(texts), unwritable };
}

/** The bytes of texts of which some hold a NUL: that is no JSON, and neither is an empty text. */
export const withoutNul = (texts) => joined(texts.map((text) => (text.includes("\0") ? "" : text)));

/** A list of JSON texts as one, with a NUL between them, which none may hold. */
const joined = (texts) => texts && answerBytes(texts.join("\0"));

function answerBytes(text) {
  const bytes = encoded(text);
  if (bytes.length > MOST_ANSWER_BYTES) throw new RangeError(`The answer is larger than ${MOST_ANSWER_BYTES} bytes`);
  return bytes;
}

/** The JSON text of each record; none where it is no list of that length (D44). */
function recordTexts(value, keys) {
  if (!Array.isArray(value) || value.length !== keys) return { texts: undefined, unwritable: false };
  const texts = [];
  const unwritable = new Set();
  // By index, not by the list's own iterator: one text for each key, whatever the list does meanwhile.
  for (let index = 0; index < keys; index += 1) {
    const record = value[index];
    const answer = typeof record === "string" ? undefined : answerText(record ?? null);
    texts.push(answer ? answer.text : record);
    if (answer?.unwritable) unwritable.add(index);
  }
  if (unwritable.size === 0) return { texts, unwritable: false };
  return { texts: texts.map((text, index) => (unwritable.has(index) ? text : strict(text))), unwritable: true };
}

/** What stands for an unwritable number of an object is no JSON in a text. */
function strict(text) {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return "";
  }
}

/** A string is the JSON text of an answer already. */
function answerText(value) {
  if (typeof value === "string") return { text: value, unwritable: false };
  const written = jsonText(value);
  // The engine's own words would name the record's keys, which may be another customer's (D30): it is no JSON (D44).
  if (isCycle(written.thrown)) return { text: "", unwritable: false };
  if ("thrown" in written) throw written.thrown;
  return written;
}

/** What JSON.stringify throws of a cycle: each engine has its own words. */
const isCycle = (thrown) => thrown instanceof TypeError && /circular|cyclic/i.test(thrown.message);
