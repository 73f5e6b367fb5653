import { canExist } from "./keys.js";
import { logError } from "./log.js";

/** KV's limit. */
export const MOST_BULK_KEYS = 100;

/**
 * Makes a function that reads many texts of a namespace, in the order of the keys. A missing key gives null.
 * @param {string} name the store's name in the client's error message
 * @param {KVNamespace} store
 * @returns {(keys: string[]) => Promise<(string | null)[]>}
 */
export const createBulkReader = (name, store) => async (keys) => {
  try {
    const batches = await Promise.all(inBulk(keys.filter(canExist)).map((some) => store.get(some, "text")));
    const texts = new Map(batches.flatMap((batch) => [...batch]));
    return keys.map((key) => texts.get(key) ?? null);
  } catch (cause) {
    throw noAnswer(name, cause);
  }
};

/** The error of a store that failed. KV's own message describes the platform: only the log gets it. */
export function noAnswer(name, cause) {
  logError(`The ${name} did not answer`, cause);
  return new Error(`The ${name} did not answer`, { cause });
}

/** The keys in groups that KV reads at once. */
export function inBulk(keys) {
  const groups = [];
  for (let start = 0; start < keys.length; start += MOST_BULK_KEYS) {
    groups.push(keys.slice(start, start + MOST_BULK_KEYS));
  }
  return groups;
}
