// The store of a Cloudflare account.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Fault, Pace, TooLarge } from "../../command-line/index.js";
import { BINDING, namespaceId } from "./binding.js";
import { Cloudflare, Refusal } from "./cloudflare-api.js";

const workerFolder = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = 1000; // the largest

/**
 * @param {import("./store.js").StoreOptions} options
 * @returns {Promise<import("./store.js").PlainStore>}
 */
export async function openRemote({
  env,
  config = join(workerFolder, "wrangler.jsonc"),
  environment,
  tell,
  cloudflare = accountOf(environment, tell),
}) {
  if (env === undefined) throw new Fault("--remote needs --env NAME: expected an environment of wrangler.jsonc");
  const namespace = `storage/kv/namespaces/${await namespaceId(config, env)}`;

  /**
   * Cloudflare may take a bulk write in part. What it left out is sent again.
   * @template Item
   * @param {"PUT" | "POST"} method
   * @param {string} path
   * @param {Item[]} items
   * @param {(item: Item) => string} keyOf
   */
  async function write(method, path, items, keyOf) {
    let left = items;
    await cloudflare.retry(async (ask) => {
      const { result } = await ask(method, `${namespace}/${path}`, left);
      const keys = new Set(result?.unsuccessful_keys);
      if (keys.size === 0) return;
      const rest = left.filter((item) => keys.has(keyOf(item)));
      if (rest.length > 0) left = rest;
      throw new Refusal(`Cloudflare left out ${[...keys][0]}`, { isTemporary: true });
    });
  }
  return {
    name: `${BINDING} of ${env}`,
    async get(keys) {
      const body = { keys, type: "text" };
      const { result } = await cloudflare.ask("POST", `${namespace}/bulk/get`, body).catch((error) => {
        throw error.status === 413 ? new TooLarge(error.message) : error;
      });
      return new Map(keys.map((key) => [key, result.values[key] ?? null]));
    },
    async *listPages(prefix) {
      let cursor;
      do {
        const query = new URLSearchParams({ limit: PAGE, ...(prefix && { prefix }), ...(cursor && { cursor }) });
        const { result, result_info: info } = await cloudflare.ask("GET", `${namespace}/keys?${query}`);
        yield result.map(({ name }) => name);
        cursor = info?.cursor;
      } while (cursor);
    },
    put: (entries) => write("PUT", "bulk", entries, ({ key }) => key),
    delete: (keys) => write("POST", "bulk/delete", keys, (key) => key),
    close: async () => {},
  };
}

/**
 * @param {import("./store.js").StoreOptions["environment"]} environment
 * @param {import("./store.js").StoreOptions["tell"]} tell
 */
const accountOf = (environment, tell) => new Cloudflare({ environment, pace: new Pace({ tell }) });
