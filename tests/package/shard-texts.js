// Texts of shards for tests of properties: right ones, almost right ones and any.
import { shardText } from "../../pkg/catalogue/format.js";
import fc from "../property.js";

const MOST = Number.MAX_SAFE_INTEGER;

/** Few small ones, so that texts and questions meet. */
export const code = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -3, max: 30 }) }, fc.integer({ min: -MOST, max: MOST }));

const record = fc.oneof(fc.constant('{"price":1}'), fc.stringMatching(/^[ -~]{1,12}$/));

const rightText = fc
  .uniqueArray(fc.record({ cprcode: code, record }), { selector: ({ cprcode }) => cprcode, maxLength: 40 })
  .map(shardText);

const PIECES = ["\n", " ", "-", "0", "7", "1 {}", "\n\n", "9007199254740993 {}\n", "+5 {}\n", "é"];

/** A right text with a few characters replaced. */
const almostRight = fc
  .tuple(rightText, fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom("", ...PIECES)), { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) =>
    edits.reduce((left, [place, length, piece]) => {
      const at = place % (left.length + 1);
      return left.slice(0, at) + piece + left.slice(at + length);
    }, text),
  );

const ofPieces = fc.array(fc.constantFrom(...PIECES, "1 {}\n", "2 {}\n", "3 {}\n"), { maxLength: 8 }).map((pieces) => pieces.join(""));

export const anyText = fc.oneof(rightText, almostRight, ofPieces);

/** The records of a text, read line by line. Undefined: it is no shard's. */
export function naiveRecords(text) {
  if (text !== "" && !text.endsWith("\n")) return undefined;
  const records = new Map();
  let last = -Infinity;
  for (const line of text.split("\n").slice(0, -1)) {
    const [, digits, record] = /^(0|-?[1-9][0-9]*) ([^]*)$/.exec(line) ?? [];
    const cprcode = Number(digits ?? NaN);
    if (!Number.isSafeInteger(cprcode) || cprcode <= last) return undefined;
    records.set(cprcode, record);
    last = cprcode;
  }
  return records;
}
