import { MOST_CHARACTERS } from "./log.js";

/** Shorter strings occur in any text by chance. */
const LEAST_SECRET = 4;

/**
 * Masks a text for the log: `…` replaces each string and number of the question that it answers, also in its JSON and
 * URL spelling.
 * @param {string} text
 * @param {unknown} question
 */
export function masked(text, question) {
  let shown = text.slice(0, MOST_CHARACTERS);
  const secrets = [...new Set(spellings(question))].filter((secret) => secret.length >= LEAST_SECRET);
  // The longest first: a secret may contain another one.
  for (const secret of secrets.sort((left, right) => right.length - left.length)) {
    shown = withoutEnd(shown.replaceAll(secret, "…"), secret);
  }
  return shown;
}

/** Removes the beginning of a secret from the end of a text that was cut off inside it. */
function withoutEnd(text, secret) {
  for (let length = Math.min(secret.length - 1, text.length); length >= LEAST_SECRET; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}…`;
  }
  return text;
}

function* spellings(value) {
  if (typeof value === "number") yield `${value}`;
  else if (typeof value === "string") yield* [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* spellings(inner);
}
