// The format in which a version's prices lie in KV. `npm run data` writes it and the Worker reads it.

/** The number of this format. Format 1 is read, too; a reader refuses a manifest of any other. */
export const FORMAT = 2;

/**
 * A version: what it consists of, and what it was made from.
 *
 * @typedef {object} Manifest
 * @property {number} format
 * @property {string} id `idOf` in manifest.js: a hash of what it consists of and what it was made from
 * @property {string} builtAt as in `2026-11-23T08:30:00.000Z`
 * @property {string | null} onto the version whose rows it took over; null: it took none
 * @property {string | null} zones the hash of the zones; null: the shop has none
 * @property {string | null} zonesFrom the version whose zones it took over; null: it brought its own, or none
 * @property {true} [keepsZones] in the folder of a build: it was given no zones, so that those in use stay; no part of the content
 * @property {string[]} [changes] the hashes of the texts that say what differs from `onto` (see changes.js); absent with
 *   `onto: null`, and in format 1
 * @property {Record<string, string[]>} [bases] layers that branches share, by the name of the base; absent in format 1
 * @property {Record<string, Branch>} branches by branchId
 * @property {Record<string, number>} [fields] how many records have each field that a record may lack; absent if the version
 *   that it was built onto does not say. Like `lost` and `layers` no part of the content that the id stands for
 * @property {Record<string, number>} [lost] with `onto`: how many records lose each field
 * @property {Record<string, string>} [layers] the texts of layers by their hashes, once more, while that is little:
 *   so they need no read of their own
 *
 * A branch is a list of layers, the newest first, and behind them those of its base. A record of a layer hides those of
 * all behind it. Each layer is named by the hash of its text (see layer.js).
 * @typedef {object} Branch
 * @property {number} records how many products have a price at the branch
 * @property {string[]} [layers]
 * @property {string} [base] a name in `bases`
 * @property {string} [list] in place of `layers` and `base`: the hash of the JSON text `{"layers": […], "base"?: "…"}`
 * @property {number} [bytes] in format 1
 * @property {number} [shardCount] in format 1
 * @property {string[]} [shards] in format 1
 *
 * A branch of format 1 is one layer: `{ records, bytes, shardCount, shards | list }`. `shards` has the hash of each
 * shard, "" for one without records; `list` is the hash of the JSON text of that list.
 *
 * The value of the key `current`: a manifest, since when it is in use, and what was in use before, the latest first.
 * @typedef {Manifest & { activatedAt: string, predecessors: Predecessor[], next?: Next, history?: string }} Current
 *   `history`: the hash of the newest entry
 * @typedef {{ id: string, from: string, to: string, rolledBack?: true }} Predecessor
 * @typedef {{ id: string, at: string }} Next the version that is in use from then on
 */

/** Stands in a layer in place of a record: the product has no price, whatever the layers behind it say. */
export const TOMBSTONE = "-";

/**
 * Which of a layer's shards holds a product. A shard is a range of {@link placeOf}, so that twice as many shards are
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

/** The integer between two places of a text; NaN: something else. */
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
