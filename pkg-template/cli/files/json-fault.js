// Where a text stops being JSON, and why.
import { isUtf8 } from "node:buffer";
import { printParseErrorCode, visit } from "jsonc-parser";
import { MOST_LEVELS, tooDeepAt } from "../../shared/index.js";

const WHAT = {
  InvalidSymbol: "this is no value",
  InvalidNumberFormat: "this is no number",
  PropertyNameExpected: "a key in quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "the text goes on after its end",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "JSON has no comments",
  UnexpectedEndOfString: "a string does not end",
  UnexpectedEndOfNumber: "a number is incomplete",
  InvalidUnicode: "an escape is not valid",
  InvalidEscapeCharacter: "an escape is not valid",
  InvalidCharacter: "a character is not valid here",
};

export function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The first fault as `{ line, column, what }`, both from 1; undefined if the text is JSON. */
export function jsonFault(text) {
  const deep = tooDeepAt(text);
  if (deep !== undefined) return { ...positionIn(text, deep), what: `nested more than ${MOST_LEVELS} levels` };
  if (isJson(text)) return undefined;
  let fault;
  const onError = (error, _offset, _length, line, column) => {
    fault ??= { line: line + 1, column: column + 1, what: WHAT[printParseErrorCode(error)] };
  };
  visit(text, { onError }, { disallowComments: true });
  return fault ?? { line: 1, column: 1, what: "the text is no JSON" };
}

/** The same for bytes, which must be UTF-8. */
export function bytesFault(bytes) {
  if (!isUtf8(bytes)) return { ...positionOf(bytes, firstBadByte(bytes)), what: "a character is not UTF-8" };
  return jsonFault(`${bytes}`.replace(/^\ufeff/, ""));
}

/** Decoding replaces it, so that the text has other bytes from there on. */
function firstBadByte(bytes) {
  const again = Buffer.from(`${bytes}`);
  return bytes.findIndex((byte, index) => byte !== again[index]);
}

function positionOf(bytes, offset) {
  const before = bytes.subarray(0, offset);
  const lineStart = before.lastIndexOf(0x0a) + 1;
  return { line: before.filter((byte) => byte === 0x0a).length + 1, column: [...before.toString("utf8", lineStart)].length + 1 };
}

function positionIn(text, offset) {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: lines.at(-1).length + 1 };
}

/** The fault of a record as a sentence, `expected` says what the record should be. */
export function faultSentence({ name, line = 1 }, fault, expected) {
  return `${name}:${line + fault.line - 1}:${fault.column}: ${expected}: ${fault.what}`;
}
