// Cuts JSON text into the texts of its parts. `JSON.parse` would change numbers that no double holds, drop repeated keys
// and refuse NaN. The text has to be JSON, or have a NaN in place of a value.

const [QUOTE, BACKSLASH, COMMA] = ['"', "\\", ","].map((sign) => sign.charCodeAt(0));
const [OPEN, CLOSE] = ["[{", "]}"].map((signs) => Array.from(signs, (sign) => sign.charCodeAt(0)));

/**
 * The members of an object as `[name, text]`, for `Object.fromEntries`. Any other value has none.
 * @param {string} text
 * @returns {[name: string, text: string][]}
 */
export const entriesOf = (text) => partsOf(text).flatMap(({ key, value }) => (key === undefined ? [] : [[JSON.parse(key), value]]));

/**
 * The members of an object, `{ key, value }`, or the items of a list, `{ value }`, each as it is written. Any other value
 * has none.
 * @param {string} text
 */
export function partsOf(text) {
  const parts = [];
  const start = afterSpace(text, 0);
  if (!isOneOf(OPEN, text.charCodeAt(start))) return parts;
  const isObject = text[start] === "{";
  let at = afterSpace(text, start + 1);
  while (!isOneOf(CLOSE, text.charCodeAt(at))) {
    let key;
    if (isObject) {
      const end = endOf(text, at);
      key = text.slice(at, end);
      at = afterSpace(text, afterSpace(text, end) + 1); // and the colon
    }
    const end = endOf(text, at);
    parts.push({ key, value: text.slice(at, end) });
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = afterSpace(text, at + 1);
  }
  return parts;
}

/** The index behind the value that begins at `start`. */
export function endOf(text, start) {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (!isOneOf(OPEN, first)) return endOfWord(text, start);
  let depth = 1;
  let at = start + 1;
  while (depth > 0) {
    const code = text.charCodeAt(at);
    if (isOneOf(OPEN, code)) depth += 1;
    else if (isOneOf(CLOSE, code)) depth -= 1;
    at = code === QUOTE ? endOfString(text, at) : at + 1;
  }
  return at;
}

function endOfString(text, start) {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) at += code === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The end of a number, `true`, `false`, `null` or `NaN`. */
function endOfWord(text, start) {
  let at = start;
  while (/[\w.+-]/.test(text.charAt(at))) at += 1;
  return at;
}

function afterSpace(text, start) {
  let at = start;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
}

const isOneOf = (codes, code) => code === codes[0] || code === codes[1];
