// A chain's catalogue without its rows: texts as `npm run data` writes them, made for the benchmark alone.
import { CURRENT_KEY, FORMAT, filterOf, hashOf, idOf, layerKey, layerText, shardKey, shardOf, shardText } from "order-cost/internal";

const FIRST_CODE = 110_000;
const SHARD_BYTES = 32_768;
const FILTERED_BYTES = 131_072;

const recordOf = (code, place) =>
  `{"price":${(500 + ((code * 7919 + place * 104_729) % 90_000)) / 100},"weight":${(1 + (code % 40)) / 10}}`;

/** Whether a product has a price of its own at a branch, where a share of the products has. */
const isOwn = (code, place, share) => Math.imul(code + 1, 0x9e3779b1 + 2 * place) >>> 0 < share * 2 ** 32;

/**
 * @param {{ branches: number, products: number, own: number }} shop `own`: the share of products with
 *   another price than at the other branches; 1: all, so that there is no base
 * @returns {Promise<Map<string, string>>} everything that KV has, by key
 */
export async function textsOfChain({ branches, products, own }) {
  const texts = new Map();
  const codes = Array.from({ length: products }, (_, index) => FIRST_CODE + index);
  const keep = async (keyOf, text) => {
    const hash = await hashOf(text);
    texts.set(keyOf(hash), text);
    return hash;
  };
  async function layerOf(records, hasFilter) {
    const bytes = records.reduce((sum, { record }) => sum + record.length + 8, 0);
    const shardCount = 2 ** Math.max(0, Math.ceil(Math.log2(bytes / (hasFilter ? FILTERED_BYTES : SHARD_BYTES))));
    /** @type {{ cprcode: number, record: string }[][]} */
    const parts = Array.from({ length: shardCount }, () => []);
    for (const record of records) parts[shardOf(record.cprcode, shardCount)].push(record);
    const shards = await Promise.all(parts.map((part) => (part.length === 0 ? "" : keep(shardKey, shardText(part)))));
    return keep(
      layerKey,
      layerText({ records: records.length, bytes, shards, filter: hasFilter ? filterOf(records.map(({ cprcode }) => cprcode)) : "" }),
    );
  }
  const isBased = own < 1;
  /** @type {Record<string, string[]>} */
  const bases = {};
  if (isBased) {
    const records = codes.map((cprcode) => ({ cprcode, record: recordOf(cprcode, 0) }));
    bases.all = [await layerOf(records, false)];
  }
  const content = {};
  for (let place = 1; place <= branches; place += 1) {
    const records = codes
      .filter((code) => !isBased || isOwn(code, place, own))
      .map((cprcode) => ({ cprcode, record: recordOf(cprcode, place) }));
    const layers = records.length === 0 ? [] : [await layerOf(records, isBased)];
    content[1000 + place] = { records: products, layers, ...(isBased && { base: "all" }) };
  }
  const parts = { format: FORMAT, onto: null, zones: null, zonesFrom: null, bases, branches: content };
  const at = "2026-11-23T09:00:00.000Z";
  texts.set(CURRENT_KEY, JSON.stringify({ ...parts, id: await idOf(parts), builtAt: at, activatedAt: at, predecessors: [] }));
  return texts;
}

/** An order of a random branch, of random products, picked up. */
export function randomOrder(random, { branches, products }, lines = 20) {
  const productList = Array.from({ length: lines }, (_, line) => ({
    cprcode: FIRST_CODE + random.integer(0, products - 1),
    productName: `Product ${line}`,
    quantity: 1 + (line % 5),
  }));
  return { branchId: `${1001 + random.integer(0, branches - 1)}`, productList };
}
