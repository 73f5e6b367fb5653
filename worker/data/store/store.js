// The store that the commands read and write: the namespace CATALOGUE, on this machine or in an account; or a folder of files.
import { fileURLToPath } from "node:url";
import { MOST_BULK_KEYS } from "order-cost/internal";
import { count, Fault, TooLarge } from "../../command-line/index.js";

/** Where `wrangler dev` keeps the stores of this machine. */
export const LOCAL_STATE = fileURLToPath(new URL("../../.wrangler/state", import.meta.url));

// What Cloudflare takes at once. It counts requests, so that few large ones are soonest done.
const MOST_KEYS = 10_000;
// Cloudflare takes 100 MB. This is in memory three times, as texts, as JSON and as bytes; JSON may double it; and a slow
// upload loses less of it when it breaks.
const MOST_PUT_BYTES = 12e6;

/**
 * @typedef {{ key: string, value: string }} Entry
 *
 * @typedef {object} Store
 * @property {(keys: string[]) => Promise<Map<string, string | null>>} get null: the store does not have the key
 * @property {(prefix: string) => AsyncGenerator<string[]>} listPages the keys with this prefix, some at a time; "": all. A
 *   large shop has a million
 * @property {(entries: Iterable<Entry> | AsyncIterable<Entry>, done?: (count: number) => void) => Promise<void>} put tells
 *   `done` how many are written. If it fails, those are
 * @property {(keys: string[]) => Promise<void>} delete
 * @property {() => Promise<void>} close
 *
 * @typedef {object} PlainStore a kind of store: it takes no more at once than its system does
 * @property {string} name for people
 * @property {Store["get"]} get throws TooLarge
 * @property {Store["listPages"]} listPages
 * @property {(entries: Entry[]) => Promise<void>} put
 * @property {Store["delete"]} delete
 * @property {Store["close"]} close
 *
 * @typedef {object} StoreOptions
 * @property {boolean} [remote] an account's store; otherwise that of wrangler.dev.jsonc
 * @property {string} [dir] a folder of files, in place of either
 * @property {boolean} [mustExist] whether that folder has to be there: a disk that is not mounted must not look like an empty store
 * @property {string} [env] the environment of wrangler.jsonc
 * @property {string} [persistTo] the folder of the local store, as for `wrangler dev`; otherwise LOCAL_STATE
 * @property {string} [config] another wrangler.jsonc
 * @property {string} [binding] of the local store; otherwise CATALOGUE
 * @property {Record<string, string | undefined>} [environment] with `remote`: its variables name the account
 * @property {(line: string) => void} [tell] with `remote`: what a person reads while Cloudflare makes it wait
 * @property {import("./cloudflare-api.js").Cloudflare} [cloudflare] with `remote`, in place of these: shared, so that it counts all requests
 */

/**
 * Each kind is loaded when it is used: miniflare takes 100 MB.
 * @param {StoreOptions} options
 * @returns {Promise<PlainStore>}
 */
async function open({ dir, ...options }) {
  if (dir !== undefined) return (await import("./dir-store.js")).openDir({ ...options, dir });
  if (options.remote) return (await import("./remote-store.js")).openRemote(options);
  const { persistTo = LOCAL_STATE } = options;
  return (await import("./local-store.js")).openLocal({ ...options, persistTo });
}

/**
 * @param {StoreOptions} options
 * @returns {Promise<Store>}
 */
export async function openStore(options) {
  const store = await open(options);
  /**
   * @param {string} what
   * @param {unknown} error
   */
  const located = (what, error) => (error instanceof Fault ? new Fault(`cannot ${what} in ${store.name}: ${error.message}`) : error);
  /**
   * @template T
   * @param {string} what
   * @param {() => Promise<T>} work
   */
  const attempt = (what, work) =>
    work().catch((error) => {
      throw located(what, error);
    });
  /** @param {string} prefix */
  async function* listPages(prefix) {
    try {
      yield* store.listPages(prefix);
    } catch (error) {
      throw located(`list the keys${prefix && ` that begin with ${prefix}`}`, error);
    }
  }
  return {
    async get(keys) {
      /** @type {Map<string, string | null>} */
      const found = new Map();
      for await (const batch of batches(keys, MOST_BULK_KEYS)) {
        const texts = await attempt(`read ${named(batch)}`, () => getInParts(store, batch));
        for (const [key, text] of texts) found.set(key, text);
      }
      return found;
    },
    listPages,
    async put(entries, done = () => {}) {
      let written = 0;
      for await (const batch of batches(entries, MOST_KEYS, ({ value }) => Buffer.byteLength(value))) {
        await attempt(`write ${named(batch.map(({ key }) => key))}`, () => store.put(batch));
        done((written += batch.length));
      }
    },
    async delete(keys) {
      for await (const batch of batches(keys, MOST_KEYS)) {
        await attempt(`delete ${named(batch)}`, () => store.delete(batch));
      }
    },
    close: store.close,
  };
}

/**
 * Halves what is too large at once: how large texts are shows only when they are read.
 * @param {PlainStore} store
 * @param {string[]} keys
 * @returns {Promise<Map<string, string | null>>}
 */
async function getInParts(store, keys) {
  try {
    return await store.get(keys);
  } catch (error) {
    if (!(error instanceof TooLarge) || keys.length === 1) throw error;
    const half = Math.ceil(keys.length / 2);
    const first = await getInParts(store, keys.slice(0, half));
    return new Map([...first, ...(await getInParts(store, keys.slice(half)))]);
  }
}

/** @param {string[]} keys */
const named = (keys) => (keys.length === 1 ? keys[0] : count(keys.length, "key"));

/**
 * @template Item
 * @param {Iterable<Item> | AsyncIterable<Item>} items
 * @param {number} mostItems
 * @param {(item: Item) => number} [bytesOf]
 */
async function* batches(items, mostItems, bytesOf = () => 0) {
  /** @type {Item[]} */
  let batch = [];
  let bytes = 0;
  for await (const item of items) {
    const more = bytesOf(item);
    if (batch.length === mostItems || (batch.length > 0 && bytes + more > MOST_PUT_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
