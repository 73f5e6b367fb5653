// JSON that loses nothing: a number keeps its digits, an object the sequence of its members and repeated names. Strings and
// numbers are those of pkg-template/shared/exact-json.js, whose objects would lose the repeated names.
import { numberText, numberValue, stringText, stringValue, typeOf } from "order-cost/internal";

/** A capture holds it a few levels deep, and is itself at most as deep as an order may be (D10). */
const MOST_DEPTH = 120;

/** Commas and colons say nothing more in a text that is JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\]]|[a-z]+/g;
const WORDS = { true: true, false: false, null: null };

/** What would take more than a capture may: more levels, more text, more work. */
export class TooMuch extends Error {}

/** @typedef {null | boolean | string | Value[] | Members} Value */

class Members {
  /** @param {[name: string, value: Value][]} list */
  constructor(list) {
    this.list = list;
  }
}

/** An object of members `[name, value]`, repeated names too. */
export const objectOf = (list) => new Members(list);

/** The members of an object as `[name, value]`, repeated names too. */
export const membersOf = (object) => object.list;

/**
 * Reads a text. Throws a SyntaxError if it is not JSON, and TooMuch.
 * @param {string} text
 */
export function read(text) {
  JSON.parse(text);
  const tokens = /** @type {string[]} */ (text.match(TOKEN)); // JSON has one
  let at = 0;
  let depth = 0;

  function valueOf(token) {
    if (token[0] === '"') return stringValue(stringIn(token));
    if (token === "{") return objectOf(listUntil("}", memberOf));
    if (token === "[") return listUntil("]", valueOf);
    return Object.hasOwn(WORDS, token) ? WORDS[token] : numberValue(token);
  }

  const memberOf = (name) => [stringIn(name), valueOf(tokens[at++])];

  function listUntil(end, itemOf) {
    if ((depth += 1) > MOST_DEPTH) throw new TooMuch(`Nested more than ${MOST_DEPTH} levels`);
    const items = [];
    for (let token = tokens[at++]; token !== end; token = tokens[at++]) items.push(itemOf(token));
    depth -= 1;
    return items;
  }

  return valueOf(tokens[at++]);
}

const stringIn = (token) => (token.includes("\\") ? JSON.parse(token) : token.slice(1, -1));

/** The value as JSON text without white space. */
export function textOf(value) {
  if (value instanceof Members) return `{${value.list.map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`).join(",")}}`;
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (typeof value !== "string") return `${value}`;
  return typeOf(value) === "number" ? numberText(value) : JSON.stringify(stringText(value));
}

/** The value of a name, undefined if there is none. Of several the last counts (D9). */
export function last(object, name) {
  return object instanceof Members ? object.list.findLast(([known]) => known === name)?.[1] : undefined;
}

/** The text under a name. Undefined if there is none. */
export function textIn(object, name) {
  const value = last(object, name);
  return typeOf(value) === "string" ? stringText(value) : undefined;
}
