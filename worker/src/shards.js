import { findRecord, shardOf } from "./format.js";
import { branchKey, shardKey } from "./keys.js";

/**
 * The price records of an order, as text and in the sequence of its keys. Null: the version has none.
 *
 * @param {Record<string, import("./format.js").Branch>} branches
 * @param {readonly { cprcode: number, branchId: string }[]} keys all of one branch, as an order's are
 * @param {(keys: string[]) => Promise<Map<string, string>>} read
 */
export async function readRecords(branches, keys, read) {
  const [{ branchId }] = keys;
  // A branch may have any name, even "constructor".
  if (!Object.hasOwn(branches, branchId)) return keys.map(() => null);
  const branch = branches[branchId];
  const shards = branch.shards ?? (await readList(branch.list, read));
  const hashes = keys.map(({ cprcode }) => shards[shardOf(cprcode, branch.shardCount)]);
  const wanted = [...new Set(hashes)].filter((hash) => hash !== "");
  const texts = await read(wanted.map(shardKey));
  return keys.map(({ cprcode }, index) => findRecord(texts.get(shardKey(hashes[index])) ?? "", cprcode) ?? null);
}

async function readList(hash, read) {
  const key = branchKey(hash);
  return JSON.parse((await read([key])).get(key));
}
