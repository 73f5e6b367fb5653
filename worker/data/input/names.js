// Names in a file of prices, and texts of it as a person reads them.
import { areNear } from "order-cost/internal";

/** Characters that nobody sees: control characters, and those that have no width or turn the direction of a text. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each is a character of its own here
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;

/**
 * Whether a reader sees all of a text.
 * @param {string} text
 */
export const isVisible = (text) => text.search(INVISIBLE) < 0;

/**
 * A name for a terminal: as it is if that shows all of it, also where it ends.
 * @param {string} name
 */
export const shown = (name) => (isPlain(name) ? name : quoted(name));

/** @param {string} name */
const isPlain = (name) => isVisible(name) && name.search(OTHER_SPACES) < 0 && name !== "" && name.trim() === name;

/**
 * A text in quotes on one line, with its invisible characters shown: `"1000\\u200b"`.
 * @param {string} text
 */
export const quoted = (text) => JSON.stringify(text).replaceAll(INVISIBLE, escaped).replaceAll(OTHER_SPACES, escaped);

/** Nobody sees that they are not the space of the keyboard. */
const OTHER_SPACES = /[^\S ]/gu;

/** @param {string} character */
const escaped = (character) =>
  Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");

/**
 * The column that a name was meant to be, as far as one can tell: one of the same letters, or one that the file lacks and
 * that is near it.
 * @param {string} name of no column
 * @param {string[]} titles the names of the columns
 * @param {{ has(name: string): boolean }} found the names of the file
 */
export function resembled(name, titles, found) {
  const letters = lettersOf(name);
  return (
    titles.find((title) => lettersOf(title) === letters) ?? titles.find((title) => !found.has(title) && areNear(lettersOf(title), letters))
  );
}

/** @param {string} name */
const lettersOf = (name) =>
  name
    .toLowerCase()
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\s_-]/g, "");
