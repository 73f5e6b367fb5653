import { MOST_CHARACTERS } from "./log.js";

/** Stands in place of what the log does not show. */
export const HIDDEN = "…";

/** Shorter strings occur in any text by chance. */
const LEAST_SECRET = 4;

/**
 * Masks a text for the log: `…` replaces each string and number of the question that it answers, in upper and lower case,
 * and also in the spellings of JSON, of JSON in ASCII, of URLs and of forms.
 * @param {string} text
 * @param {unknown} question
 */
export function masked(text, question) {
  const shown = text.slice(0, MOST_CHARACTERS);
  const places = lowered(shown);
  const isHidden = Array(shown.length).fill(false);
  for (const secret of new Set(spellings(question))) {
    if (secret.length < LEAST_SECRET) continue;
    const sought = lowered(secret);
    for (let at = places.indexOf(sought); at >= 0; at = places.indexOf(sought, at + 1)) isHidden.fill(true, at, at + secret.length);
    const rest = cutOff(places, sought);
    if (rest > 0) isHidden.fill(true, shown.length - rest);
  }
  // Secrets may overlap: what any of them covers is hidden.
  return [...isHidden.keys()].map((at) => (!isHidden[at] ? shown[at] : isHidden[at - 1] ? "" : HIDDEN)).join("");
}

/** In lower case, if that keeps each character in its place. */
function lowered(text) {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** How much of a secret's beginning stands at the end of a text that was cut off inside it. */
function cutOff(text, secret) {
  for (let length = Math.min(secret.length - 1, text.length); length >= LEAST_SECRET; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}

function* spellings(value) {
  if (typeof value === "number") yield `${value}`;
  else if (typeof value === "string") yield* spellingsOf(value);
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* spellings(inner);
}

function spellingsOf(text) {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  return [text, json, ascii, encodeURIComponent(text.toWellFormed()), form];
}
