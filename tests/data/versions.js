// Versions for tests: folders as `build` writes them.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FORMAT, hashOf, shardText } from "../../pkg/catalogue/format.js";
import { branchKey, layerKey, shardKey, zonesKey } from "../../pkg/catalogue/keys.js";
import { filterOf, layerText } from "../../pkg/catalogue/layer.js";
import { idOf } from "../../pkg/catalogue/manifest.js";
import { temporaryFolder } from "../folder.js";

/**
 * @typedef {object} Plan
 * @property {Record<string, number[][]>} branches the codes of each shard by branchId; one price for all
 * @property {number[][]} [base] the codes of each shard of a base that all branches share, where they have no others
 * @property {number | string} [price] JSON
 * @property {string | null} [zones] the text of the zones
 * @property {boolean} [hasLists] what the manifest says of each branch is a text of its own
 * @property {string | null} [onto]
 * @property {string | null} [zonesFrom]
 * @property {1 | 2} [format]
 */

/**
 * A version, in memory.
 * @param {Plan} plan
 * @returns {Promise<{ manifest: import("../../pkg/catalogue/format.js").Manifest, texts: Map<string, string> }>} all texts
 */
export async function makeVersion({
  branches,
  base,
  price = 10,
  zones = null,
  hasLists = false,
  onto = null,
  zonesFrom = null,
  format = FORMAT,
}) {
  const texts = new Map();
  const keep = async (keyOf, text) => {
    const hash = await hashOf(text);
    texts.set(keyOf(hash), text);
    return hash;
  };
  const shardsOf = async (shards) => {
    const shardTexts = shards.map((codes) => shardText(codes.map((cprcode) => ({ cprcode, record: `{"price":${price}}` }))));
    return Promise.all(shardTexts.map((text) => (text === "" ? "" : keep(shardKey, text))));
  };
  const layerOf = async (shards, filter) =>
    keep(layerKey, layerText({ records: shards.flat().length, bytes: 0, shards: await shardsOf(shards), filter }));
  const layersOf = async (shards) => {
    if (!base) return { layers: [await layerOf(shards, "")] };
    return { layers: shards.flat().length > 0 ? [await layerOf(shards, filterOf(shards.flat()))] : [], base: "1" };
  };
  const described = {};
  for (const [branchId, shards] of Object.entries(branches)) {
    const records = new Set([...shards.flat(), ...(base ?? []).flat()]).size;
    if (format === 1) {
      const hashes = await shardsOf(shards);
      const level = hasLists ? { list: await keep(branchKey, JSON.stringify(hashes)) } : { shards: hashes };
      described[branchId] = { records, bytes: 0, shardCount: shards.length, ...level };
    } else {
      const content = await layersOf(shards);
      described[branchId] = { records, ...(hasLists ? { list: await keep(branchKey, JSON.stringify(content)) } : content) };
    }
  }
  const content = {
    format,
    onto,
    zones: zones === null ? null : await keep(zonesKey, zones),
    zonesFrom,
    ...(format !== 1 && { bases: base ? { 1: [await layerOf(base, "")] } : {} }),
    branches: described,
  };
  return { manifest: { id: await idOf(content), builtAt: "2026-11-23T08:00:00.000Z", ...content }, texts };
}

/**
 * Writes a version into a folder, which the test removes when it ends.
 * @param {import("node:test").TestContext} context
 * @param {{ manifest: object, texts: Map<string, string> }} version
 * @param {(key: string) => boolean} [isThere] which texts the folder has
 */
export async function writeVersion(context, { manifest, texts }, isThere = () => true) {
  const folder = temporaryFolder(context);
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  for (const [key, text] of texts) {
    if (!isThere(key)) continue;
    const file = join(folder, ...key.split(":"));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** A small version, with a price that no other version has. */
export const smallVersion = (price, more = {}) => makeVersion({ branches: { 1000: [[1, 2], [3]], 2000: [[4], []] }, price, ...more });

/** A version with shards of 1 MiB, so that a push needs several batches. */
export const largeVersion = (shards) =>
  makeVersion({
    branches: { 1000: Array.from({ length: 2 ** Math.ceil(Math.log2(shards)) }, (_, index) => (index < shards ? [index] : [])) },
    price: `1${" ".repeat(2 ** 20)}`,
  });
