import { Failure } from "../failure.js";
import { findRecord, shardOf } from "./format.js";
import { branchKey, shardKey } from "../keys.js";
import { shardList } from "./manifest.js";

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
  branch.shards ??= await readList(branch, read);
  const { shards } = branch;
  const hashes = keys.map(({ cprcode }) => shards[shardOf(cprcode, branch.shardCount)]);
  const wanted = [...new Set(hashes)].filter((hash) => hash !== "");
  const texts = await read(wanted.map(shardKey));
  return keys.map(({ cprcode }, index) => findRecord(texts.get(shardKey(hashes[index])) ?? "", cprcode) ?? null);
}

/** A list that lacks a shard would make its products look like products without a price. */
async function readList({ list, shardCount }, read) {
  const key = branchKey(list);
  const shards = shardList((await read([key])).get(key), shardCount);
  if (shards) return shards;
  const detail = `${key} is malformed: expected a list of ${shardCount} shards`;
  throw new Failure("The price store is incomplete: try again", { detail });
}
