// How deep JSON is nested. What reads or compares it calls itself for each level.

/** No order and no answer is nested deeper. */
export const MOST_LEVELS = 1_000;

const [QUOTE, ESCAPE] = ['"', "\\"].map((sign) => sign.charCodeAt(0));
const [BEGINS, ENDS] = ["[{", "]}"].map((signs) => Array.from(signs, (sign) => sign.charCodeAt(0)));

/**
 * Where a text is nested deeper; undefined if it is not.
 * @param {string} text
 */
export function tooDeepAt(text) {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) isInString = !isInString;
    else if (isInString) at += Number(unit === ESCAPE);
    else if (ENDS.includes(unit)) depth -= 1;
    else if (BEGINS.includes(unit) && (depth += 1) > MOST_LEVELS) return at;
  }
  return undefined;
}
