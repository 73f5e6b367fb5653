/**
 * A naive JSON reader (RFC 8259) that keeps everything: every value keeps its text (`raw`), so numbers never become
 * doubles, and members are never reordered, merged or renamed.
 *
 * A node is one of
 *   { type: "object", raw, members: [{ name, rawName, value }] }
 *   { type: "array", raw, items }      { type: "string", raw, value }     { type: "number", raw }
 *   { type: "boolean", raw, value }    { type: "null", raw }
 * A string's `value` may hold lone surrogates (D10).
 */

const MAX_DEPTH = 128; // D10: the outermost value is level 1
const NUMBER = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const CHARACTERS = /[^"\\\u0000-\u001f]+/y;
const WHITE_SPACE = new Set(" \t\n\r");
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

export class NotJson extends Error {}

/** Reads a whole text. Throws NotJson if it is not JSON or is nested too deep. */
export function readJson(text) {
  let at = 0;

  function fail() {
    throw new NotJson(`not JSON at ${at}`);
  }

  function match(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return "";
    at += found[0].length;
    return found[0];
  }

  function expect(token) {
    if (!text.startsWith(token, at)) fail();
    at += token.length;
  }

  function skipWhiteSpace() {
    while (WHITE_SPACE.has(text[at])) at += 1;
  }

  function readValue(depth) {
    const start = at;
    const node = readBare(depth);
    node.raw = text.slice(start, at);
    node.start = start;
    return node;
  }

  function readBare(depth) {
    switch (text[at]) {
      case "{":
        return { type: "object", members: readMembers(depth + 1) };
      case "[":
        return { type: "array", items: readItems(depth + 1) };
      case '"':
        return { type: "string", value: readString() };
      case "t":
        expect("true");
        return { type: "boolean", value: true };
      case "f":
        expect("false");
        return { type: "boolean", value: false };
      case "n":
        expect("null");
        return { type: "null" };
      default:
        if (!match(NUMBER)) fail();
        return { type: "number" };
    }
  }

  function readMembers(depth) {
    return readList("{", "}", depth, () => {
      const start = at;
      const name = readString();
      const rawName = text.slice(start, at);
      skipWhiteSpace();
      expect(":");
      skipWhiteSpace();
      return { name, rawName, value: readValue(depth) };
    });
  }

  function readItems(depth) {
    return readList("[", "]", depth, () => readValue(depth));
  }

  function readList(open, close, depth, readOne) {
    if (depth > MAX_DEPTH) fail();
    const list = [];
    expect(open);
    skipWhiteSpace();
    if (text[at] === close) {
      at += 1;
      return list;
    }
    for (;;) {
      list.push(readOne());
      skipWhiteSpace();
      if (text[at] === close) {
        at += 1;
        return list;
      }
      expect(",");
      skipWhiteSpace();
    }
  }

  function readString() {
    let value = "";
    expect('"');
    for (;;) {
      value += match(CHARACTERS);
      if (text[at] === '"') {
        at += 1;
        return value;
      }
      expect("\\");
      value += readEscape();
    }
  }

  function readEscape() {
    const letter = text[at];
    at += 1;
    if (letter === "u") {
      const digits = text.slice(at, at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail();
      at += 4;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (!Object.hasOwn(ESCAPES, letter)) fail();
    return ESCAPES[letter];
  }

  skipWhiteSpace();
  const root = readValue(0);
  skipWhiteSpace();
  if (at !== text.length) fail();
  return root;
}

/** The value of a member; the last one if the member is repeated (D9). */
export function member(node, name) {
  return node.members.findLast((one) => one.name === name)?.value;
}
