// A version of the catalogue in memory: what `npm run data` would write to KV.
import { FORMAT, hashOf, shardOf, shardText } from "../../worker/src/catalogue/format.js";
import { idOf } from "../../worker/src/catalogue/manifest.js";
import { CURRENT_KEY, branchKey, shardKey, zonesKey } from "../../worker/src/keys.js";

/**
 * @param {Record<string, string>} prices the text of each record by `<cprcode>/<branchId>`, even one that no build would
 *   let through
 * @param {string | null} [zones] the GeoJSON
 * @param {{ shardCount?: number, isListed?: boolean, spoil?: (text: string) => string }} [layout] `isListed` gives each
 *   branch a list of its shards; `spoil` changes the text of each shard before it is named
 * @returns {Promise<{ id: string, manifest: object, texts: Record<string, string> }>} `texts` are the values by key
 *   that the manifest names
 */
export async function makeVersion(prices, zones = null, { shardCount = 4, isListed = false, spoil = (text) => text } = {}) {
  const texts = {};
  const store = async (keyOf, text) => {
    const hash = await hashOf(text);
    texts[keyOf(hash)] = text;
    return hash;
  };
  const branches = {};
  for (const [branchId, records] of byBranch(prices)) {
    const shardTexts = shardsOf(records, shardCount);
    const shards = await Promise.all(shardTexts.map((text) => (text === "" ? "" : store(shardKey, spoil(text)))));
    const listed = isListed ? { list: await store(branchKey, JSON.stringify(shards)) } : { shards };
    const branch = { records: records.length, bytes: shardTexts.join("").length, shardCount, ...listed };
    // A plain assignment to "__proto__" would not make a property.
    Object.defineProperty(branches, branchId, { value: branch, enumerable: true });
  }
  const parts = { onto: null, zones: zones === null ? null : await store(zonesKey, zones), zonesFrom: null, branches };
  const id = await idOf(parts);
  return { id, manifest: { format: FORMAT, id, builtAt: "2026-11-23T08:30:00.000Z", ...parts }, texts };
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

function byBranch(prices) {
  const branches = new Map();
  for (const [key, record] of Object.entries(prices)) {
    const slash = key.indexOf("/");
    const branchId = key.slice(slash + 1);
    if (!branches.has(branchId)) branches.set(branchId, []);
    branches.get(branchId).push({ cprcode: Number(key.slice(0, slash)), record });
  }
  return branches;
}

function shardsOf(records, shardCount) {
  const shards = Array.from({ length: shardCount }, () => []);
  for (const record of records) shards[shardOf(record.cprcode, shardCount)].push(record);
  return shards.map(shardText);
}
