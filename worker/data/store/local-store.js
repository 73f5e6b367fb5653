// The store that `wrangler dev -c wrangler.dev.jsonc` reads, also while that runs.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { Fault, messageOf, TooLarge } from "../../command-line/index.js";
import { namespaceId } from "./binding.js";

const workerFolder = fileURLToPath(new URL("../../", import.meta.url));

// Works inside workerd: from outside, miniflare would need a request for each key.
const SCRIPT = `export default {
  async fetch(request, { STORE: store }) {
    const { action, items } = await request.json();
    return Response.json(await actions[action](store, items));
  },
};
const actions = {
  put: (store, entries) => Promise.all(entries.map(({ key, value }) => store.put(key, value))),
  delete: (store, keys) => Promise.all(keys.map((key) => store.delete(key))),
  get: async (store, keys) => Array.from(await store.get(keys)),
  async list(store, options) {
    const { keys, cursor } = await store.list(options);
    return { keys: keys.map(({ name }) => name), cursor };
  },
};`;

/**
 * What the script answers.
 * @typedef {object} Answers
 * @property {[key: string, text: string | null][]} get
 * @property {{ keys: string[], cursor?: string }} list
 * @property {void} put nothing that anybody reads
 * @property {void} delete
 */

/**
 * @param {import("./store.js").StoreOptions & { persistTo: string }} options
 * @returns {Promise<import("./store.js").PlainStore>}
 */
export async function openLocal({ persistTo, config = join(workerFolder, "wrangler.dev.jsonc"), binding }) {
  const id = await namespaceId(config, undefined, binding);
  const miniflare = new Miniflare({
    modules: true,
    script: SCRIPT,
    compatibilityDate: "2026-04-26",
    kvNamespaces: { STORE: id },
    kvPersist: join(resolve(persistTo), "v3/kv"),
    cf: false, // it would be downloaded
    handleRuntimeStdio: (...streams) => streams.forEach((stream) => stream.resume()),
  });
  await miniflare.ready.catch(async (error) => {
    await miniflare.dispose().catch(() => {}); // it would repeat the same error
    throw new Fault(`cannot open the store in ${persistTo}: ${firstLine(error)}`);
  });
  /**
   * @template {keyof Answers} Action
   * @param {Action} action
   * @param {unknown} items
   * @returns {Promise<Answers[Action]>}
   */
  async function ask(action, items) {
    const body = JSON.stringify({ action, items });
    try {
      const response = await miniflare.dispatchFetch("http://store/", { method: "POST", body });
      if (!response.ok) throw new Error(await response.text());
      return /** @type {Answers[Action]} */ (await response.json());
    } catch (error) {
      const line = firstLine(error);
      throw / GET_BULK failed: 413 /.test(line) ? new TooLarge(line) : new Fault(line);
    }
  }
  return {
    name: `the store in ${persistTo}`,
    get: async (keys) => new Map(await ask("get", keys)),
    async *listPages(prefix) {
      /** @type {string | undefined} */
      let from;
      do {
        const { keys, cursor } = await ask("list", { prefix, cursor: from });
        yield keys;
        from = cursor;
      } while (from);
    },
    put: (entries) => ask("put", entries),
    delete: (keys) => ask("delete", keys),
    close: () => miniflare.dispose(),
  };
}

/** @param {unknown} error */
const firstLine = (error) =>
  messageOf(error)
    .replace(/^Error: /, "")
    .split("\n", 1)[0];
