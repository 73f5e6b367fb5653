import { TOMBSTONE } from "./format.js";
import { branchKey, layerKey } from "./keys.js";
import { keyFor, layerIn, namesOf, shardsOf } from "./layer.js";
import { branchIn } from "./manifest.js";
import { recordsByCode } from "./text-cache.js";

/** A text says what cannot be, although its hash is right. */
export class Malformed extends Error {}

/**
 * Gives whole texts. `records` gives the records of a shard that needs no read, by product code; `read` need not give it.
 * @typedef {{ read(keys: string[]): Promise<Map<string, string | symbol>>, records?(key: string): Records | undefined }} Texts
 * @typedef {{ get(cprcode: number): string | undefined }} Records
 */

/**
 * The price records of products of one branch, as text and in the sequence of their codes. Null: the version has none.
 *
 * @param {Pick<import("./format.js").Manifest, "bases" | "branches" | "layers">} manifest
 * @param {string} branchId
 * @param {readonly number[]} cprcodes
 * @param {Texts} texts
 * @returns {Promise<(string | null)[]>}
 */
export async function readRecords(manifest, branchId, cprcodes, texts) {
  return pricesIn(await layersOf(manifest, branchId, texts.read), cprcodes, texts);
}

/**
 * What layers say of products: records, or null where a product has no price.
 * @type {(...of: Parameters<typeof recordsIn>) => Promise<(string | null)[]>}
 */
export async function pricesIn(layers, cprcodes, texts) {
  const records = await recordsIn(layers, cprcodes, texts);
  return records.map((record) => (record === undefined || record === TOMBSTONE ? null : record));
}

/**
 * What layers have for products, the newest first: a record, or a tombstone. Undefined: no layer has the product.
 *
 * @param {import("./layer.js").Shards[]} layers
 * @param {readonly number[]} cprcodes
 * @param {Texts} texts
 * @returns {Promise<(string | undefined)[]>}
 */
export async function recordsIn(layers, cprcodes, { read, records: kept = () => undefined }) {
  /** The texts that were read for these products: what is kept of them may be gone again. */
  const own = new Map();
  const recordsOf = (key) => kept(key) ?? recordsRead(own, key);
  /** @type {(string | typeof OPEN | undefined)[]} */
  const records = cprcodes.map(() => OPEN);
  for (;;) {
    const wanted = new Set();
    for (const [index, cprcode] of cprcodes.entries()) {
      if (records[index] === OPEN) records[index] = recordAtHand(layers, cprcode, recordsOf, wanted);
    }
    if (wanted.size === 0) return /** @type {(string | undefined)[]} */ (records);
    for (const [key, text] of await read([...wanted])) if (typeof text === "string") own.set(key, text);
  }
}

/** The records of a text, which takes the place of the text. */
function recordsRead(own, key) {
  const read = own.get(key);
  if (typeof read !== "string") return read;
  const records = recordsByCode(read);
  own.set(key, records);
  return records;
}

/** A record that only a read can find. */
const OPEN = Symbol("open");

/**
 * A product's record. Where shards are missing that may have it, notes them as wanted; behind a record that is found, no
 * layer matters.
 *
 * @param {import("./layer.js").Shards[]} layers
 * @param {number} cprcode
 * @param {(key: string) => Records | undefined} recordsOf
 * @param {Set<string>} wanted
 * @returns {string | typeof OPEN | undefined}
 */
function recordAtHand(layers, cprcode, recordsOf, wanted) {
  let isOpen = false;
  for (const layer of layers) {
    const key = keyFor(layer, cprcode);
    if (key === "") continue;
    const records = wanted.has(key) ? undefined : recordsOf(key);
    if (records === undefined) {
      wanted.add(key);
      isOpen = true;
      continue;
    }
    const record = records.get(cprcode);
    if (record !== undefined) return isOpen ? OPEN : record;
  }
  return isOpen ? OPEN : undefined;
}

/**
 * The layers of a branch and of its base, the newest first; none of a branch that the version does not have.
 *
 * @param {Pick<import("./format.js").Manifest, "bases" | "branches" | "layers">} manifest
 * @param {string} branchId
 * @param {Texts["read"]} read
 * @returns {Promise<import("./layer.js").Shards[]>}
 */
export async function layersOf(manifest, branchId, read) {
  // A branch may have any name, even "constructor".
  if (!Object.hasOwn(manifest.branches, branchId)) return [];
  const branch = manifest.branches[branchId];
  const content = branch.list === undefined ? /** @type {Content} */ (branch) : await readContent(branch.list, branch.shardCount, read);
  if (content.shards) return [shardsOf(namesOf(content.shards))];
  const hashes = [...content.layers, ...baseOf(manifest, content)];
  const { layers: copies = {} } = manifest;
  const keys = hashes.filter((hash) => !copies[hash]).map(layerKey);
  const texts = keys.length === 0 ? undefined : await read(keys);
  return hashes.map((hash) => (copies[hash] ? copyOf(copies, hash) : layerIn(/** @type {string} */ (texts?.get(layerKey(hash))), hash)));
}

/** The layers that stand in manifests: orders find each one, and the keys that it has made, again. */
const copied = new WeakMap();

function copyOf(copies, hash) {
  if (!copied.has(copies)) copied.set(copies, new Map());
  const layers = copied.get(copies);
  if (!layers.has(hash)) layers.set(hash, layerIn(copies[hash], hash));
  return layers.get(hash);
}

/**
 * @param {Pick<import("./format.js").Manifest, "bases">} manifest
 * @param {{ base?: string }} content
 */
function baseOf({ bases = {} }, { base }) {
  if (base === undefined) return [];
  if (!Object.hasOwn(bases, base)) throw new Malformed(`expected a name in bases, got ${JSON.stringify(base)}`);
  return bases[base];
}

/**
 * What a branch consists of: in format 1 of shards.
 * @typedef {{ shards: string[], layers?: undefined } | { shards?: undefined, layers: string[], base?: string }} Content
 */

/**
 * What a branch's own text says in place of the manifest.
 *
 * @param {string} list
 * @param {number | undefined} shardCount
 * @param {Texts["read"]} read
 * @returns {Promise<Content>}
 */
async function readContent(list, shardCount, read) {
  const key = branchKey(list);
  const text = /** @type {string} */ ((await read([key])).get(key));
  const content = /** @type {string[] | { layers: string[], base?: string }} */ (branchIn(text));
  if (!Array.isArray(content)) return content;
  if (content.length !== shardCount) throw new Malformed(`${key}: expected a list of ${shardCount} shards, got ${content.length}`);
  return { shards: content };
}
