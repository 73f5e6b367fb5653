/**
 * A count with its noun: `1 record`, `100,000 records`.
 * @param {number} number
 * @param {string} noun
 */
export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : noun.endsWith("h") ? "es" : "s"}`;

/**
 * Some of many names: `a, b, c and 97 more`.
 * @param {string[]} names
 */
export function some(names) {
  const more = names.length > MOST_NAMES ? ` and ${(names.length - MOST_NAMES).toLocaleString("en")} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}

const MOST_NAMES = 10;

/**
 * `1.4 MB`
 * @param {number} bytes
 */
export const megabytes = (bytes) => `${(bytes / 1e6).toLocaleString("en", { maximumSignificantDigits: 3 })} MB`;

/**
 * `2026-11-23 09:05:35 UTC`
 * @param {string | undefined} iso
 */
export const moment = (iso) => (iso === undefined ? "an unknown time" : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`);
