import { hashOf, isShardText } from "./format.js";
import { hashIn } from "./keys.js";
import { isLayerText } from "./layer.js";
import { branchIn } from "./manifest.js";

/** Whether a text is what the kind of its key says. */
const IS_ONE = { shard: isShardText, layer: isLayerText, branch: (text) => branchIn(text) !== undefined };

/**
 * What is wrong with a text that a version names. Undefined: nothing. www/docs/service/runbook.md mends each kind in another
 * way.
 * @param {string} key ends in the hash of the text
 * @param {string | null} text null: the store does not have it
 * @returns {Promise<"missing" | "altered" | "malformed" | undefined>} `altered`: its hash is another; `malformed`: the
 *   hash is right, but it never was what it should be
 */
export async function damageOf(key, text) {
  if (text === null) return "missing";
  if ((await hashOf(text)) !== hashIn(key)) return "altered";
  const isOne = IS_ONE[key.slice(0, key.indexOf(":"))];
  return isOne && !isOne(text) ? "malformed" : undefined;
}
