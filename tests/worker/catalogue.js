// A version of the catalogue in memory: what `npm run data` would write to KV.
import { readFile } from "node:fs/promises";
import { FORMAT, hashOf, shardOf, shardText } from "../../pkg/catalogue/format.js";
import { branchKey, CURRENT_KEY, layerKey, shardKey, zonesKey } from "../../pkg/catalogue/keys.js";
import { filterOf, layerText } from "../../pkg/catalogue/layer.js";
import { idOf } from "../../pkg/catalogue/manifest.js";

/**
 * @param {Record<string, string>} prices the text of each record by `<cprcode>/<branchId>`, even one that no build would
 *   let through
 * @param {string | null} [zones] the GeoJSON
 * @param {object} [layout]
 * @param {number} [layout.shardCount] of each layer
 * @param {Record<string, string>[]} [layout.above] layers in front of `prices`, the newest first; a record may be "-"
 * @param {Record<string, string>} [layout.base] the records by code of a base of all branches
 * @param {boolean} [layout.isListed] gives each branch a text of its own, in place of its part of the manifest, as in large
 *   versions; the manifest then has no copies of layers
 * @param {1 | 2} [layout.format]
 * @param {(text: string) => string} [layout.spoil] changes the text of each shard before it is named
 * @returns {Promise<{ id: string, manifest: object, texts: Record<string, string> }>} `texts` are the values by key
 *   that the manifest names
 */
export async function makeVersion(
  prices,
  zones = null,
  { shardCount = 4, above = [], base, isListed = false, format = FORMAT, spoil = (text) => text } = {},
) {
  /** @type {Record<string, string>} */
  const texts = {};
  const store = async (keyOf, text) => {
    const hash = await hashOf(text);
    texts[keyOf(hash)] = text;
    return hash;
  };
  async function shardsOfRecords(records) {
    const texts = shardTexts(records, shardCount);
    const bytes = texts.reduce((sum, { length }) => sum + length, 0);
    return { bytes, shards: await Promise.all(texts.map((text) => (text === "" ? "" : store(shardKey, spoil(text))))) };
  }
  async function layerOf(records, hasFilter) {
    const filter = hasFilter ? filterOf(records.map(({ cprcode }) => cprcode)) : "";
    return store(layerKey, layerText({ records: records.length, ...(await shardsOfRecords(records)), filter }));
  }
  const listed = async (content, key) => (isListed ? { list: await store(branchKey, JSON.stringify(content[key] ?? content)) } : content);

  async function oldBranch(records) {
    const { bytes, shards } = await shardsOfRecords(records);
    return { records: records.length, bytes, shardCount, ...(await listed({ shards }, "shards")) };
  }
  async function branchOf(branchId, records) {
    const own = [...above.map((layer) => byBranch(layer).get(branchId) ?? []), records];
    const layers = await Promise.all(own.map((layer, index) => layerOf(layer, index < own.length - 1 || base !== undefined)));
    return { records: records.length, ...(await listed({ layers, ...(base && { base: "all" }) })) };
  }

  /** @type {Record<string, import("../../pkg/catalogue/format.js").Branch>} */
  const branches = {};
  for (const [branchId, records] of byBranch(prices)) {
    const branch = await (format === 1 ? oldBranch(records) : branchOf(branchId, records));
    // A plain assignment to "__proto__" would not make a property.
    Object.defineProperty(branches, branchId, { value: branch, enumerable: true });
  }
  const ofBase = base && Object.entries(base).map(([cprcode, record]) => ({ cprcode: Number(cprcode), record }));
  /** @type {Record<string, string[]>} */
  const bases = base ? { all: [await layerOf(ofBase, false)] } : {};
  const ofZones = zones === null ? null : await store(zonesKey, zones);
  const parts = { format, onto: null, zones: ofZones, zonesFrom: null, ...(format === FORMAT && { bases }), branches };
  const id = await idOf(parts);
  const layers = Object.fromEntries(
    Object.entries(texts)
      .filter(([key]) => key.startsWith("layer:"))
      .map(([key, text]) => [key.slice("layer:".length), text]),
  );
  const copies = format === FORMAT && !isListed && { layers };
  return { id, manifest: { id, builtAt: "2026-11-23T08:30:00.000Z", ...parts, ...copies }, texts };
}

/** The version of the demo shop, with the id that `npm run data` gives it. */
export async function seedVersion() {
  const [prices, zones] = await Promise.all(
    ["prices", "zones"].map((name) => readFile(new URL(`../../worker/seed/${name}.json`, import.meta.url), "utf8")),
  );
  const records = Object.entries(JSON.parse(prices)).map(([key, record]) => [key, JSON.stringify(record)]);
  return makeVersion(Object.fromEntries(records), zones, { shardCount: 4 });
}

/**
 * The value of the key `current` for a version.
 * @param {{ manifest: object }} version
 * @param {object} [more] what differs in it
 */
export const currentText = ({ manifest }, more) =>
  JSON.stringify({ ...manifest, activatedAt: "2026-11-23T09:00:00.000Z", predecessors: [], ...more });

/** Everything in KV while a version is in use. */
export const entriesOf = (version) => ({ ...version.texts, [CURRENT_KEY]: currentText(version) });

/** Writes a version and switches it on. `put` is that of a KV namespace. */
export async function publish(store, version) {
  await Promise.all(Object.entries(version.texts).map(([key, text]) => store.put(key, text)));
  await store.put(CURRENT_KEY, currentText(version));
}

/**
 * @typedef {{ cprcode: number, record: string }} PricedProduct
 *
 * @param {Record<string, string>} prices by `<cprcode>/<branchId>`
 */
function byBranch(prices) {
  /** @type {Map<string, PricedProduct[]>} */
  const branches = new Map();
  for (const [key, record] of Object.entries(prices)) {
    const slash = key.indexOf("/");
    const branchId = key.slice(slash + 1);
    const records = branches.get(branchId) ?? [];
    branches.set(branchId, records);
    records.push({ cprcode: Number(key.slice(0, slash)), record });
  }
  return branches;
}

/**
 * @param {PricedProduct[]} records
 * @param {number} shardCount
 */
function shardTexts(records, shardCount) {
  /** @type {PricedProduct[][]} */
  const shards = Array.from({ length: shardCount }, () => []);
  for (const record of records) shards[shardOf(record.cprcode, shardCount)].push(record);
  return shards.map(shardText);
}
