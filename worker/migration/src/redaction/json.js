// JSON that loses nothing: a number keeps its digits, an object the sequence of its members and repeated names.
//   string, boolean, null     as in JavaScript
//   number                    Digits
//   array                     array
//   object                    Members

export class Digits {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

export class Members {
  /** @param {[name: string, value: unknown][]} list */
  constructor(list) {
    this.list = list;
  }

  /** The value of a name. Of several the last counts (D9). */
  last(name) {
    return this.list.findLast(([known]) => known === name)?.[1];
  }
}

/** A capture holds it a few levels deep, and is itself at most as deep as an order may be (D10). */
const MOST_DEPTH = 120;

export class TooDeep extends Error {}

/** A string, with the colon if it is a name; or a number. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads a text. Throws a SyntaxError if it is not JSON, and TooDeep.
 * JSON.parse does it: each string begins with `s`, each number becomes a string that begins with `n`, and the number of
 * its place precedes each name, so that all names differ.
 * @param {string} text
 */
export function readJson(text) {
  JSON.parse(text); // before the marks change it
  let place = 0;
  const marked = text.replace(TOKEN, (token, string, colon) => {
    if (string === undefined) return `"n${token}"`;
    return colon ? `"${(place += 1)}:${string.slice(1)}${colon}` : `"s${string.slice(1)}`;
  });
  return unmarked(JSON.parse(marked), 0);
}

function unmarked(value, depth) {
  if (typeof value === "string") return value[0] === "n" ? new Digits(value.slice(1)) : value.slice(1);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MOST_DEPTH) throw new TooDeep(`Nested more than ${MOST_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item) => unmarked(item, depth + 1));
  return new Members(Object.entries(value).map(([name, inner]) => [name.slice(name.indexOf(":") + 1), unmarked(inner, depth + 1)]));
}

/** The text of a value, without white space. */
export function writeJson(value) {
  if (value instanceof Digits) return value.text;
  if (value instanceof Members) return `{${value.list.map(([name, inner]) => `${JSON.stringify(name)}:${writeJson(inner)}`).join(",")}}`;
  return Array.isArray(value) ? `[${value.map(writeJson).join(",")}]` : JSON.stringify(value);
}
