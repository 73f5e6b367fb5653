// The log: one line of JSON for each record. A record holds nothing of an order but what order-line.js lets through.

export const MOST_CHARACTERS = 500;

/**
 * @param {"info" | "warn" | "error"} level
 * @param {string} event
 * @param {Record<string, unknown>} fields
 */
export function log(level, event, fields) {
  console.log(printable(JSON.stringify({ level, event, ...fields })));
}

/** JSON escapes the rest of what could imitate a line or control a terminal. */
const printable = (line) =>
  line.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${hex(character.charCodeAt(at))}`).join(""),
  );

const hex = (unit) => unit.toString(16).padStart(4, "0");

/** A text of the platform or of a service, as long as the log shows it. */
export const cut = (text) => `${text}`.slice(0, MOST_CHARACTERS);

/**
 * What an error of our own says, and where it was thrown. The message of a SyntaxError quotes the text that was parsed,
 * so only its name is shown.
 * @param {unknown} error
 */
export function errorText(error) {
  const said = [];
  let frames = "";
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    said.push(cause instanceof SyntaxError ? cause.name : `${cause.name}: ${cause.message}`);
    frames = framesOf(cause);
  }
  return cut([...said, frames].filter(Boolean).join(": ") || typeof error);
}

/** The places of a stack. It begins with the message, which may look like a place. */
function framesOf({ name, message, stack = "" }) {
  const said = message === "" ? name : `${name}: ${message}`;
  return stack.startsWith(said) ? stack.slice(said.length).replace(/\s*\n\s*/g, " ").trim() : "";
}
