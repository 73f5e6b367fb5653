// The text of a layer: the names of its shards, and a filter of the products that it has.
import { placeOf, shardOf } from "./format.js";
import { shardKey } from "./keys.js";

const NAME_LENGTH = 32;
const NO_SHARD = "-".repeat(NAME_LENGTH);

/**
 * A layer, as {@link layerIn} finds it in its text.
 * @typedef {object} Layer
 * @property {string} id layers with the same id are the same
 * @property {number} records
 * @property {number} bytes of its shards
 * @property {number} shardCount a power of two
 * @property {string} names those of its shards, one after the other
 * @property {string} filter "": it has none, because most products are in the layer
 * @property {string[]} keys of shards, those that were asked for: to put one together takes as long as to find its text
 *
 * @typedef {Omit<Layer, "records" | "bytes">} Shards the shards of a layer
 */

/**
 * The text of a layer.
 * @param {{ records: number, bytes: number, shards: string[], filter?: string }} layer `shards`: the hash of each, "" for
 *   one without records
 */
export const layerText = ({ records, bytes, shards, filter = "" }) => `${records} ${bytes}\n${namesOf(shards)}\n${filter}\n`;

/**
 * @param {string[]} shards
 * @returns {string}
 */
export const namesOf = (shards) => shards.map((hash) => hash || NO_SHARD).join("");

/**
 * Whether a text is one that {@link layerText} makes. A shard that it lacked would look like one without records.
 * @param {string} text
 */
export function isLayerText(text) {
  const [, names = ""] = LAYER.exec(text) ?? [];
  return names !== "" && Number.isInteger(Math.log2(names.length / NAME_LENGTH));
}

const LAYER = /^\d{1,15} \d{1,15}\n((?:[0-9a-f]{32}|-{32})+)\n[\w-]*\n$/;

/**
 * The layer of a text, which is not checked again: orders do this.
 * @param {string} text for which {@link isLayerText} is true
 * @returns {Layer}
 */
export function layerIn(text, id = text) {
  const first = text.indexOf("\n");
  const second = text.indexOf("\n", first + 1);
  const [records, bytes] = text.slice(0, first).split(" ");
  return {
    records: Number(records),
    bytes: Number(bytes),
    ...shardsOf(text.slice(first + 1, second), { filter: text.slice(second + 1, -1), id }),
  };
}

/**
 * @param {string} names of all shards, one after the other
 * @param {{ filter?: string, id?: string }} [of]
 * @returns {Shards}
 */
export const shardsOf = (names, { filter = "", id = names } = {}) => ({
  id,
  shardCount: names.length / NAME_LENGTH,
  names,
  filter,
  keys: [],
});

/**
 * The hashes of a layer's shards, in their order; "" for one without records.
 * @param {Pick<Shards, "names" | "shardCount">} layer
 */
export function shardsIn({ names, shardCount }) {
  return Array.from({ length: shardCount }, (_, index) => shardAt(names, index));
}

/**
 * The key of the shard that may have a product. "": the layer does not have it.
 * @param {Shards} layer
 * @param {number} cprcode
 */
export function keyFor({ names, shardCount, filter, keys }, cprcode) {
  if (filter !== "" && !mayHave(filter, cprcode)) return "";
  const place = shardOf(cprcode, shardCount);
  return (keys[place] ??= keyAt(names, place));
}

function keyAt(names, place) {
  const hash = shardAt(names, place);
  return hash === "" ? "" : shardKey(hash);
}

function shardAt(names, index) {
  const hash = names.slice(index * NAME_LENGTH, (index + 1) * NAME_LENGTH);
  return hash === NO_SHARD ? "" : hash;
}

// A Bloom filter, six bits a character, read where it stands: an isolate of many branches keeps thousands of them.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value += 1) VALUES[DIGITS.charCodeAt(value)] = value;
const BITS = 6;

/** With twelve bits and eight probes for each product, one in 300 that is absent looks present. */
const BITS_A_PRODUCT = 12;
const PROBES = 8;

/**
 * A filter that knows these products.
 * @param {ArrayLike<number> & Iterable<number>} cprcodes
 */
export function filterOf(cprcodes) {
  const values = new Uint8Array(Math.max(1, Math.ceil((cprcodes.length * BITS_A_PRODUCT) / BITS)));
  for (const cprcode of cprcodes) {
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = bitOf(cprcode, probe, values.length * BITS);
      values[Math.floor(bit / BITS)] |= 1 << (bit % BITS);
    }
  }
  return Array.from(values, (value) => DIGITS[value]).join("");
}

function mayHave(filter, cprcode) {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = bitOf(cprcode, probe, filter.length * BITS);
    if ((VALUES[filter.charCodeAt(Math.floor(bit / BITS))] & (1 << (bit % BITS))) === 0) return false;
  }
  return true;
}

/** The bit of one of a product's probes: steps of one hash from another. */
function bitOf(cprcode, probe, size) {
  const place = placeOf(cprcode);
  const step = (Math.imul(place, 0x9e3779b1) >>> 0) | 1;
  return (place + probe * (step >>> 0)) % size;
}
