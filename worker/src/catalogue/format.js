// The format in which a version's prices lie in KV. `npm run data` writes it and the Worker reads it.

/** The number of this format. A reader refuses a manifest of any other. */
export const FORMAT = 1;

/**
 * A version: what it consists of, and what it was made from.
 *
 * @typedef {object} Manifest
 * @property {number} format
 * @property {string} id `idOf` in manifest.js: a hash of everything below but `builtAt`
 * @property {string} builtAt as in `2026-11-23T08:30:00.000Z`
 * @property {string | null} onto the version whose rows it took over; null: it took none
 * @property {string | null} zones the hash of the zones; null: the shop has none
 * @property {string | null} zonesFrom the version whose zones it took over; null: it brought its own, or none
 * @property {Record<string, Branch>} branches by branchId
 *
 * @typedef {object} Branch
 * @property {number} records
 * @property {number} bytes of all its shards
 * @property {number} shardCount a power of two
 * @property {string[]} [shards] the hash of each shard; "" for one without records
 * @property {string} [list] in place of `shards`: the hash of the JSON text of that list
 *
 * The value of the key `current`: a manifest, since when it is in use, and what was in use before, the latest first.
 * @typedef {Manifest & { activatedAt: string, predecessors: Predecessor[] }} Current
 * @typedef {{ id: string, from: string, to: string, rolledBack?: true }} Predecessor
 */

/**
 * Which of a branch's shards holds a product. A shard is a range of {@link placeOf}, so that twice as many shards are
 * each a half of one.
 * @param {number} cprcode
 * @param {number} shardCount
 */
export const shardOf = (cprcode, shardCount) => Math.floor((placeOf(cprcode) / 2 ** 32) * shardCount);

/**
 * The hash of a product code, 0 to 2^32 - 1: MurmurHash3's finalizer, which spreads consecutive codes evenly.
 * @param {number} cprcode an integer within ±(2^53 - 1)
 */
export function placeOf(cprcode) {
  let hash = (cprcode | 0) ^ Math.floor(cprcode / 2 ** 32);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The text of a shard: a line for each record, sorted by code. A record is JSON text in ASCII and on one line.
 * @param {{ cprcode: number, record: string }[]} records each code once
 */
export function shardText(records) {
  const sorted = records.toSorted((left, right) => left.cprcode - right.cprcode);
  return sorted.map(({ cprcode, record }) => `${cprcode} ${record}\n`).join("");
}

/**
 * Whether a text is one that {@link shardText} makes. Anything else would hide records.
 * @param {string} text
 */
export function isShardText(text) {
  let last = -Infinity;
  for (let start = 0; start < text.length; ) {
    const space = text.indexOf(" ", start);
    const end = text.indexOf("\n", start);
    const code = codeAt(text, start, space);
    if (space >= end || !(code > last)) return false;
    last = code;
    start = end + 1;
  }
  return true;
}

/**
 * The records of a shard's text.
 * @param {string} text for which {@link isShardText} is true
 * @returns {{ cprcode: number, record: string }[]}
 */
export function recordsOf(text) {
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => {
    const space = line.indexOf(" ");
    return { cprcode: Number(line.slice(0, space)), record: line.slice(space + 1) };
  });
}

/**
 * A record's text, found by halves in the text of its shard, which is not parsed. Undefined: the shard does not have it.
 * @param {string} text for which {@link isShardText} is true
 * @param {number} cprcode
 */
export function findRecord(text, cprcode) {
  let start = 0;
  let end = text.length;
  while (start < end) {
    const middle = (start + end) >>> 1;
    const lineStart = middle === 0 ? 0 : text.lastIndexOf("\n", middle - 1) + 1;
    const space = text.indexOf(" ", lineStart);
    const lineEnd = text.indexOf("\n", space);
    const code = codeAt(text, lineStart, space);
    if (lineEnd < 0 || Number.isNaN(code)) throw new Error("expected the text of a shard"); // the search might never end
    if (code === cprcode) return text.slice(space + 1, lineEnd);
    if (code < cprcode) start = lineEnd + 1;
    else end = lineStart;
  }
  return undefined;
}

/**
 * The integer between two places of a text; NaN: something else. Reads its digits: a large order looks at thousands of
 * codes.
 */
function codeAt(text, start, end) {
  const isNegative = text.charCodeAt(start) === MINUS;
  const first = isNegative ? start + 1 : start;
  if (first >= end || (text.charCodeAt(first) === ZERO && end - start > 1)) return NaN;
  let code = 0;
  for (let place = first; place < end; place += 1) {
    const digit = text.charCodeAt(place) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    code = code * 10 + digit;
  }
  if (code > Number.MAX_SAFE_INTEGER) return NaN;
  return isNegative ? -code : code;
}

const MINUS = "-".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

/**
 * The name of a content in KV: the first 128 bits of its SHA-256.
 * @param {string} text
 */
export async function hashOf(text) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)), 0, 16);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const encoder = new TextEncoder();
