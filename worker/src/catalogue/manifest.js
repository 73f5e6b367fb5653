import { FORMAT } from "./format.js";

/**
 * Reads the value of the key `current`. Throws an Error that says what is wrong with it, for the log.
 * @param {string | null} text
 * @returns {import("./format.js").Current}
 */
export function readManifest(text) {
  const manifest = parsed(text);
  if (manifest?.format !== FORMAT) throw new Error(`expected format ${FORMAT}, got ${JSON.stringify(manifest?.format)}`);
  if (!isVersion(manifest)) throw new Error(`expected a manifest of format ${FORMAT}`);
  return manifest;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("expected JSON");
  }
}

const isVersion = ({ id, zones, branches }) =>
  /^[0-9a-f]{16,32}$/.test(id) &&
  (zones === null || isHash(zones)) &&
  typeof branches === "object" &&
  branches !== null &&
  !Array.isArray(branches) &&
  Object.values(branches).every(isBranch);

const isBranch = (branch) =>
  Number.isInteger(branch?.shardCount) &&
  branch.shardCount > 0 &&
  (branch.shards === undefined ? isHash(branch.list) : isShardList(branch.shards, branch.shardCount));

/**
 * Whether a value is a complete list of a branch's shards. A shard that the list lacks would look like one without
 * records: its products would have no price.
 */
export const isShardList = (value, shardCount) =>
  Array.isArray(value) && value.length === shardCount && value.every((hash) => hash === "" || isHash(hash));

const isHash = (value) => typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
