// What the pricing service and the shadow Worker have in common in their variables for captures.
import { integer } from "./variables.js";

export const MOST_CAPTURES = 10_000;

/** With a shorter key, whoever has the captures could try all keys, and then all ids. */
const LEAST_KEY_LENGTH = 32;

export const capturesPerDay = integer(0, MOST_CAPTURES);

/** The text is not shown: it may be the beginning of a secret. */
export function redactKey(text, name) {
  if (text.length >= LEAST_KEY_LENGTH) return text;
  throw new Error(`Variable ${name}: expected ${LEAST_KEY_LENGTH} characters or more, got ${text.length}`);
}

export const NO_REDACT_KEY = "Variable REDACT_KEY is missing: captures are written without anybody's data, which needs a secret key";
