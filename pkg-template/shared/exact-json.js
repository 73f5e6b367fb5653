// JSON values whose numbers keep their text: a string, a key too, starts with one mark, a number with another one and is
// its text. A reader that keeps the numbers of JSON.parse would lose digits.

const STRING = "s";
const NUMBER = "n";
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Reads JSON text. Throws a SyntaxError if it is none. Of members with one name the last stays (D9). */
export function readExact(text) {
  JSON.parse(text); // Before the marks change it.
  return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token[0] === '"' ? `"${STRING}${token.slice(1)}` : `"${NUMBER}${token}"`)));
}

export function typeOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "string" && value[0] === NUMBER ? "number" : typeof value;
}

/** The original text of a number. */
export const numberText = (value) => value.slice(1);

/** A number of this text. */
export const numberValue = (text) => NUMBER + text;

/** The text of a string. */
export const stringText = (value) => value.slice(1);

/** A string of this text. */
export const stringValue = (text) => STRING + text;

/** The name of a key. */
export const keyName = (key) => key.slice(STRING.length);

/** The key of a name. */
export const keyOf = (name) => STRING + name;

/** The member of an object; undefined if it has none of this name, or is no object. */
export function member(object, name) {
  return typeOf(object) === "object" ? own(object, keyOf(name)) : undefined;
}

/** The value of a marked key. */
export function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The value without marks, as JSON.parse returns it. */
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [keyName(key), plain(inner)]));
  }
  if (typeof value !== "string") return value;
  return value[0] === NUMBER ? Number(numberText(value)) : stringText(value);
}

/** The value as JSON text without white space, every number as it was written. `sorted`: keys in one order. */
export function exactText(value, { sorted = false } = {}) {
  if (Array.isArray(value)) return `[${value.map((item) => exactText(item, { sorted })).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const keys = sorted ? Object.keys(value).sort() : Object.keys(value);
    return `{${keys.map((key) => `${JSON.stringify(keyName(key))}:${exactText(value[key], { sorted })}`).join(",")}}`;
  }
  if (typeof value !== "string") return `${value}`;
  return value[0] === NUMBER ? numberText(value) : JSON.stringify(stringText(value));
}
