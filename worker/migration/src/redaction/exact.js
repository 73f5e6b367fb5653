// JSON that loses nothing (pkg/exact-json.js): a number keeps its digits, an object the sequence of its members and repeated
// names.
import { membersOf, readRepeated, stringText, typeOf } from "../../../../pkg/exact-json.js";
import { isDeeper } from "../depth.js";

/** A capture holds it a few levels deep, and is itself at most as deep as an order may be (D10). */
const MOST_DEPTH = 120;

export class TooDeep extends Error {}

/**
 * Reads a text. Throws a SyntaxError if it is not JSON, and TooDeep.
 * @param {string} text
 */
export function read(text) {
  const value = readRepeated(text);
  if (isDeeper(text, MOST_DEPTH)) throw new TooDeep(`Nested more than ${MOST_DEPTH} levels`);
  return value;
}

/** The value of a name, undefined if there is none. Of several the last counts (D9). */
export function last(object, name) {
  return typeOf(object) === "object" ? membersOf(object).findLast(([known]) => known === name)?.[1] : undefined;
}

/** The text under a name. Undefined if there is none. */
export function textIn(object, name) {
  const value = last(object, name);
  return typeOf(value) === "string" ? stringText(value) : undefined;
}
