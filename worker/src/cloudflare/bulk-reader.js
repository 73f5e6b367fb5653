import { groups, MOST_BULK_KEYS } from "order-cost/internal";
import { cut, Failure, masked } from "../log/index.js";
import { canExist } from "../look-ups/index.js";

/**
 * Makes a function that reads many texts of a namespace, in the order of the keys. A missing key gives null.
 * @param {string} name the store's name in the client's error message
 * @param {KVNamespace} store
 * @returns {(keys: string[], onRead?: (count: number) => void) => Promise<(string | null)[]>}
 */
export const createBulkReader = (name, store) => async (keys, onRead) => {
  const possible = keys.filter(canExist);
  onRead?.(possible.length);
  try {
    const batches = await Promise.all([...groups(possible, MOST_BULK_KEYS)].map((some) => store.get(some, "text")));
    const texts = new Map(batches.flatMap((batch) => [...batch]));
    return keys.map((key) => texts.get(key) ?? null);
  } catch (cause) {
    throw noAnswer(name, cause, keys.map(nameIn));
  }
};

/** What a key names: `V/1` for `voucher:V%2F1`. */
const nameIn = (key) => decodeURIComponent(key.slice(key.indexOf(":") + 1));

/**
 * The error of a store that failed. KV's own message describes the platform: only the log gets it, and without names
 * that a client chose.
 */
const noAnswer = (name, cause, names = []) => new Failure(`The ${name} did not answer`, { detail: masked(cut(cause?.message), names) });
