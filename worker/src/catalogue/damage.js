import { hashOf, isShardText } from "./format.js";
import { shardKey } from "../keys.js";

/**
 * What is wrong with a text that a version names. RUNBOOK.md mends each kind in another way. Undefined: nothing.
 * @param {string} key ends in the hash of the text
 * @param {string | null} text null: the store does not have it
 * @returns {Promise<"missing" | "altered" | "malformed" | undefined>} `altered`: its hash is another; `malformed`: the
 *   hash is right, but it never was what it should be
 */
export async function damageOf(key, text) {
  if (text === null) return "missing";
  if ((await hashOf(text)) !== key.slice(key.indexOf(":") + 1)) return "altered";
  return key.startsWith(SHARDS) && !isShardText(text) ? "malformed" : undefined;
}

const SHARDS = shardKey("");
