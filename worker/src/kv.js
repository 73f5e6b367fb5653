import { canExist } from "./keys.js";
import { logError } from "./log.js";

const MAX_BULK_KEYS = 100; // KV's own limit

/**
 * Reads many texts of a namespace, in the keys' order; null where KV has none.
 * @param {string} name of the store, for the client's eyes
 * @param {KVNamespace} store
 * @returns {(keys: string[]) => Promise<(string | null)[]>}
 */
export const createBulkReader = (name, store) => async (keys) => {
  try {
    const batches = await Promise.all(chunk(keys.filter(canExist)).map((some) => store.get(some, "text")));
    const texts = new Map(batches.flatMap((batch) => [...batch]));
    return keys.map((key) => texts.get(key) ?? null);
  } catch (cause) {
    logError(`The ${name} did not answer`, cause); // KV's words name the platform, not the order
    throw new Error(`The ${name} did not answer`, { cause });
  }
};

function chunk(keys) {
  const chunks = [];
  for (let start = 0; start < keys.length; start += MAX_BULK_KEYS) {
    chunks.push(keys.slice(start, start + MAX_BULK_KEYS));
  }
  return chunks;
}
