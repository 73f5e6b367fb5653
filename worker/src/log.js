// The log: one record a line, in which nothing of an order stands.

const MOST_CHARACTERS = 500;

/** What is shorter is in every text by chance. */
const LEAST_SECRET = 4;

/** @param {string} text */
export function log(text) {
  console.error(printable(text).slice(0, MOST_CHARACTERS));
}

/**
 * @param {string} what failed
 * @param {unknown} error why, and where it was thrown
 */
export function logError(what, error) {
  const { message = typeof error, cause, stack = "" } = error ?? {};
  log([what, message, cause?.message, ...stack.split("\n").slice(1)].filter(Boolean).join(": "));
}

/**
 * A service's text as it may be logged: each string and number of the question that stands in it reads `…`, as it is and
 * as JSON or a URL spells it.
 * @param {string} text
 * @param {unknown} question
 */
export function masked(text, question) {
  let shown = text.slice(0, MOST_CHARACTERS);
  const secrets = [...new Set(spellings(question))].filter((secret) => secret.length >= LEAST_SECRET);
  // The longest first: one may be part of another.
  for (const secret of secrets.sort((left, right) => right.length - left.length)) {
    shown = withoutEnd(shown.replaceAll(secret, "…"), secret);
  }
  return shown;
}

/** Without the beginning of a secret that was cut off at the end. */
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

/** Text of others must not look like a record of ours, or steer a terminal. */
const printable = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
