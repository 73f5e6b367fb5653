// Merges layers, before a branch has more of them than a warm order should look through.
import { recordsIn, recordsOf, shardKey, shardsIn, TOMBSTONE } from "order-cost/internal";
import { eachText, layersAt } from "../versions/index.js";
import { LayerMaker } from "./layers.js";

/** A base, and each branch by itself, has no more layers than this. */
const MOST_LAYERS = 8;

/**
 * Merges layers of bases and branches that have too many.
 * @param {{ bases: Record<string, string[]>, branches: Record<string, { layers: string[], base?: string }> }} version
 *   which is changed
 * @param {import("../versions/texts.js").Reader} reader of all its texts
 * @param {import("../versions/texts.js").TextFolder} folder
 * @param {{ mostLayers?: number, shardBytes?: number }} options
 * @returns {Promise<{ bases: number, branches: number }>} how many had too many
 */
export async function mergeLayers({ bases, branches }, reader, folder, { mostLayers = MOST_LAYERS, shardBytes }) {
  const merged = { bases: 0, branches: 0 };
  /**
   * Branches with equal prices have equal layers.
   * @type {Map<string, string[]>}
   */
  const done = new Map();
  /**
   * @param {string[]} layers
   * @param {string[]} behind
   */
  const mergedOf = async (layers, behind) => {
    const key = JSON.stringify([layers, behind]);
    const found = done.get(key) ?? (await mergeNewest(layers, behind, reader, folder, shardBytes));
    done.set(key, found);
    return found;
  };
  for (const [name, layers] of Object.entries(bases)) {
    if (layers.length <= mostLayers) continue;
    bases[name] = await mergedOf(layers, []);
    merged.bases += 1;
  }
  for (const branch of Object.values(branches)) {
    if (branch.layers.length <= mostLayers) continue;
    branch.layers = await mergedOf(branch.layers, branch.base === undefined ? [] : bases[branch.base]);
    merged.branches += 1;
  }
  return merged;
}

/**
 * The layers once the newest ones are one.
 * @param {string[]} hashes
 * @param {string[]} behind those of the base
 * @param {import("../versions/texts.js").Reader} reader
 * @param {import("../versions/texts.js").TextFolder} folder
 * @param {number | undefined} shardBytes
 */
async function mergeNewest(hashes, behind, reader, folder, shardBytes) {
  const layers = await layersAt(hashes, reader);
  const size = sizeOf(layers);
  const records = await recordsOfAll(layers.slice(0, size), reader);
  const rest = hashes.slice(size);
  await dropNeedless(records, await layersAt([...rest, ...behind], reader), rest.length === 0, reader);
  if (records.size === 0) return rest;
  const hasFilter = rest.length + behind.length > 0;
  return [await layerOf(records, folder, { hasFilter, shardBytes }), ...rest];
}

/**
 * So many that the next one is at least as large as all of them: a record is written again only a few times.
 * @param {import("order-cost/internal").Layer[]} layers
 */
function sizeOf(layers) {
  let bytes = layers[0].bytes;
  for (let size = 2; size < layers.length; size += 1) {
    bytes += layers[size - 1].bytes;
    if (bytes <= layers[size].bytes) return size;
  }
  return layers.length;
}

/**
 * @param {import("order-cost/internal").Layer[]} layers
 * @param {import("../versions/texts.js").Reader} reader
 */
async function recordsOfAll(layers, reader) {
  /** @type {Map<number, string>} */
  const records = new Map();
  for (const layer of layers) {
    const keys = new Set(shardsIn(layer).filter(Boolean).map(shardKey));
    await eachText(keys, reader, (_, text) => {
      for (const { cprcode, record } of recordsOf(text)) if (!records.has(cprcode)) records.set(cprcode, record);
    });
  }
  return records;
}

/**
 * Drops what the layers behind say anyway. While some of the branch's own stay, only tombstones are looked at.
 * @param {Map<number, string>} records
 * @param {import("order-cost/internal").Layer[]} behind
 * @param {boolean} isAll
 * @param {import("../versions/texts.js").Reader} reader
 */
async function dropNeedless(records, behind, isAll, reader) {
  const cprcodes = [...records.keys()].filter((cprcode) => isAll || records.get(cprcode) === TOMBSTONE);
  const others = await recordsIn(behind, cprcodes, reader);
  for (const [index, cprcode] of cprcodes.entries()) {
    if (records.get(cprcode) === (others[index] ?? TOMBSTONE)) records.delete(cprcode);
  }
}

/**
 * @param {Map<number, string>} records
 * @param {import("../versions/texts.js").TextFolder} folder
 * @param {{ hasFilter: boolean, shardBytes?: number }} options
 */
async function layerOf(records, folder, options) {
  const maker = new LayerMaker();
  for (const [cprcode, record] of records) maker.count(cprcode, record);
  maker.begin(folder, options);
  for (const [cprcode, record] of records) maker.add(cprcode, record);
  return maker.finish();
}
