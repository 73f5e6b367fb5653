import { findRecord, TOMBSTONE } from "./format.js";
import { branchKey, layerKey, shardKey } from "./keys.js";
import { layerIn, namesOf, shardFor, shardsOf } from "./layer.js";
import { branchIn } from "./manifest.js";

/** A text says what cannot be, although its hash is right. */
export class Malformed extends Error {}

/**
 * The price records of products of one branch, as text and in the sequence of their codes. Null: the version has none.
 *
 * @param {Pick<import("./format.js").Manifest, "bases" | "branches" | "layers">} manifest
 * @param {string} branchId
 * @param {readonly number[]} cprcodes
 * @param {{ read(keys: string[]): Promise<Map<string, string>>, kept?(key: string): string | undefined }} texts whole ones;
 *   `kept` gives those that need no read
 * @returns {Promise<(string | null)[]>}
 */
export async function readRecords(manifest, branchId, cprcodes, texts) {
  // A branch may have any name, even "constructor".
  if (!Object.hasOwn(manifest.branches, branchId)) return cprcodes.map(() => null);
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
 * @param {import("./layer.js").Layer[]} layers
 * @param {readonly number[]} cprcodes
 * @param {Parameters<typeof readRecords>[3]} texts
 * @returns {Promise<(string | undefined)[]>}
 */
export async function recordsIn(layers, cprcodes, { read, kept = () => undefined }) {
  const places = cprcodes.map((cprcode) => keysFor(layers, cprcode));
  const found = new Map();
  const wanted = wantedOf(cprcodes, places, found, kept);
  if (wanted.length > 0) for (const [key, text] of await read(wanted)) found.set(key, text);
  return cprcodes.map((cprcode, index) => recordIn(found, places[index], cprcode));
}

/** The keys of the texts to read. Behind a record that is found, no layer matters. */
function wantedOf(cprcodes, places, found, kept) {
  const wanted = new Set();
  for (const [index, cprcode] of cprcodes.entries()) {
    for (const key of places[index]) {
      if (wanted.has(key)) continue;
      const text = found.get(key) ?? kept(key);
      if (text === undefined) wanted.add(key);
      else found.set(key, text);
      if (text !== undefined && findRecord(text, cprcode) !== undefined) break;
    }
  }
  return [...wanted];
}

function recordIn(texts, keys, cprcode) {
  for (const key of keys) {
    const record = findRecord(texts.get(key), cprcode);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** The keys of the shards that may have a product, the newest layer's first. */
function keysFor(layers, cprcode) {
  const hashes = layers.map((layer) => shardFor(layer, cprcode)).filter(Boolean);
  return hashes.map(shardKey);
}

/**
 * The layers of a branch and of its base, the newest first.
 *
 * @param {Pick<import("./format.js").Manifest, "bases" | "branches" | "layers">} manifest
 * @param {string} branchId one of its branches
 * @param {(keys: string[]) => Promise<Map<string, string>>} read gives whole texts
 * @returns {Promise<import("./layer.js").Layer[]>}
 */
export async function layersOf(manifest, branchId, read) {
  const branch = manifest.branches[branchId];
  const content = branch.list === undefined ? branch : await readContent(branch, read);
  if (content.shards) return [shardsOf(namesOf(content.shards))];
  const hashes = [...content.layers, ...baseOf(manifest, content)];
  const { layers: copies = {} } = manifest;
  const keys = hashes.filter((hash) => !copies[hash]).map(layerKey);
  const texts = keys.length === 0 ? undefined : await read(keys);
  return hashes.map((hash) => layerIn(copies[hash] ?? texts.get(layerKey(hash))));
}

function baseOf({ bases }, { base }) {
  if (base === undefined) return [];
  if (!Object.hasOwn(bases, base)) throw new Malformed(`expected a name in bases, got ${JSON.stringify(base)}`);
  return bases[base];
}

/** What a branch's own text says in place of the manifest. */
async function readContent({ list, shardCount }, read) {
  const key = branchKey(list);
  const content = branchIn((await read([key])).get(key));
  if (!Array.isArray(content)) return content;
  if (content.length !== shardCount) throw new Malformed(`${key}: expected a list of ${shardCount} shards, got ${content.length}`);
  return { shards: content };
}
