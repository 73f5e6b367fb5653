// Lays JSON text out for reading: what fits on a line stays on it. Every string and number keeps its characters.

const TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const CLOSES = { "{": "}", "[": "]" };
const WIDTH = 78;

/**
 * @typedef {{ short: string, open?: undefined, items?: undefined }} Scalar
 * @typedef {{ short: string | undefined, open: string, items: { key: string | undefined, value: Value }[] }} Holder a list or an object
 * @typedef {Scalar | Holder} Value `short`: its text on one line, if that fits
 */

/**
 * @param {string} text must be JSON
 * @param {{ isRecord?: boolean }} [options] whether all of it may stand on one line
 */
export function laidOut(text, { isRecord = false } = {}) {
  const tokens = text.match(TOKEN) ?? [];
  let next = 0;

  /** @returns {Value} */
  function value() {
    const token = tokens[next++];
    const close = CLOSES[token];
    if (close === undefined) return { short: token };
    /** @type {Holder["items"]} */
    const items = [];
    while (tokens[next] !== close) {
      const key = token === "{" ? tokens[next] : undefined;
      if (key !== undefined) next += 2;
      items.push({ key, value: value() });
      if (tokens[next] === ",") next += 1;
    }
    next += 1;
    return { short: onOneLine(token, items), open: token, items };
  }

  return lines(value(), "", "", !isRecord);
}

/**
 * The text of a list or an object on one line; undefined if it is longer than a line.
 * @param {string} open
 * @param {Holder["items"]} items
 */
function onOneLine(open, items) {
  if (items.length === 0) return open + CLOSES[open];
  let text = "";
  for (const { key, value } of items) {
    if (value.short === undefined || text.length > WIDTH) return undefined;
    text += `${text && ", "}${key ? `${key}: ` : ""}${value.short}`;
  }
  if (text.length > WIDTH) return undefined;
  return open === "{" ? `{ ${text} }` : `[${text}]`;
}

/**
 * @param {Value} value
 * @param {string} indent
 * @param {string} key what stands before it
 * @param {boolean} [isWhole] whether it may not stand on one line
 * @returns {string}
 */
function lines({ short, open, items }, indent, key, isWhole) {
  const fits = short !== undefined && indent.length + key.length + short.length <= WIDTH;
  if (open === undefined || items.length === 0 || (fits && !isWhole)) return key + short;
  const inner = items.map((item) => `${indent}  ${lines(item.value, `${indent}  `, item.key ? `${item.key}: ` : "")}`);
  return `${key}${open}\n${inner.join(",\n")}\n${indent}${CLOSES[open]}`;
}
