// The store that the commands read and write: the namespace CATALOGUE, on this machine or in an account.
import { count } from "./count.js";
import { Fault } from "./fault.js";

// Cloudflare takes 10,000 keys and 100 MB at once. Less shows progress, and a failure loses less.
const MOST_PUT_KEYS = 1000;
const MOST_PUT_BYTES = 8 * 2 ** 20;
// 100 keys and 25 MiB at once: the largest manifests have 256 KiB each.
const MOST_GET_KEYS = 96;
const MOST_DELETE_KEYS = 5000;

/**
 * @typedef {{ key: string, value: string }} Entry
 *
 * @typedef {object} Store
 * @property {(keys: string[]) => Promise<Map<string, string | null>>} get null: the store does not have the key
 * @property {(prefix: string) => Promise<string[]>} list the keys with this prefix; "": all
 * @property {(entries: Iterable<Entry> | AsyncIterable<Entry>, done?: (count: number) => void) => Promise<void>} put tells
 *   `done` how many are written. If it fails, those are
 * @property {(keys: string[]) => Promise<void>} delete
 * @property {() => Promise<void>} close
 *
 * @typedef {object} StoreOptions
 * @property {boolean} [remote] an account's store; otherwise that of wrangler.dev.jsonc
 * @property {string} [env] the environment of wrangler.jsonc
 * @property {string} [persistTo] the folder of the local store, as for `wrangler dev`
 * @property {string} [config] another wrangler.jsonc
 * @property {string} [binding] of the local store; otherwise CATALOGUE
 * @property {number[]} [pauses] in milliseconds, before each new try when Cloudflare answers 429
 */

/** Each kind is loaded when it is used: miniflare takes 100 MB. */
async function open(options) {
  const { openRemote, openLocal } = options.remote ? await import("./remote-store.js") : await import("./local-store.js");
  return options.remote ? openRemote(options) : openLocal(options);
}

/**
 * @param {StoreOptions} options
 * @returns {Promise<Store>}
 */
export async function openStore(options) {
  const store = await open(options);
  const attempt = (what, work) =>
    work().catch((error) => {
      throw error instanceof Fault ? new Fault(`cannot ${what} in ${store.name}: ${error.message}`) : error;
    });
  return {
    async get(keys) {
      const found = new Map();
      for await (const batch of batches(keys, MOST_GET_KEYS)) {
        const texts = await attempt(`read ${named(batch)}`, () => store.get(batch));
        for (const [key, text] of texts) found.set(key, text);
      }
      return found;
    },
    list: (prefix) => attempt(`list the keys${prefix && ` that begin with ${prefix}`}`, () => store.list(prefix)),
    async put(entries, done = () => {}) {
      let written = 0;
      for await (const batch of batches(entries, MOST_PUT_KEYS, ({ value }) => Buffer.byteLength(value))) {
        await attempt(`write ${named(batch.map(({ key }) => key))}`, () => store.put(batch));
        done((written += batch.length));
      }
    },
    async delete(keys) {
      for await (const batch of batches(keys, MOST_DELETE_KEYS)) {
        await attempt(`delete ${named(batch)}`, () => store.delete(batch));
      }
    },
    close: store.close,
  };
}

const named = (keys) => (keys.length === 1 ? keys[0] : count(keys.length, "key"));

async function* batches(items, mostItems, bytesOf = () => 0) {
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
