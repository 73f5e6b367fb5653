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
  typeof id === "string" &&
  (zones === null || typeof zones === "string") &&
  typeof branches === "object" &&
  branches !== null &&
  Object.values(branches).every(isBranch);

/** A shard that the list lacks would look like one without records: its products would have no price. */
const isBranch = (branch) =>
  typeof branch?.list === "string" || (Array.isArray(branch?.shards) && branch.shards.length === branch.shardCount);
