// Fills the key-value stores of a local `wrangler dev` from the files that `worker/seed/generate.mjs --kv` wrote.
// It writes inside workerd: `wrangler kv bulk put` writes the keys one by one from outside and takes three times as
// long.
//   node xtask/seed.mjs <folder with prices.json, vouchers.json, …: one file for each binding>
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Uses the Worker's own wrangler and workerd, so that the storage format is the same.
const worker = createRequire(new URL("../worker/package.json", import.meta.url));
const { unstable_readConfig: readConfig } = worker("wrangler");
const { Miniflare } = worker("miniflare");

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const stores = readConfig({ config: path("../worker/wrangler.jsonc") }).kv_namespaces;
const state = path("../worker/.wrangler/state/v3/kv");

const SEEDER = `export default {
  async fetch(request, env) {
    const store = env[new URL(request.url).pathname.slice(1)];
    const entries = await request.json();
    await Promise.all(entries.map(({ key, value }) => store.put(key, value)));
    return new Response();
  },
};`;

// Removes the old stores: a key from an older seed would be a price that no longer exists.
rmSync(state, { recursive: true, force: true });
const miniflare = new Miniflare({
  modules: true,
  script: SEEDER,
  kvNamespaces: Object.fromEntries(stores.map(({ binding, id }) => [binding, id])),
  kvPersist: state,
});
try {
  for (const { binding } of stores) {
    const body = readFileSync(join(process.argv[2], `${binding.toLowerCase()}.json`));
    const response = await miniflare.dispatchFetch(`http://seeder/${binding}`, { method: "POST", body });
    if (!response.ok) throw new Error(`Cannot seed ${binding}: ${await response.text()}`);
  }
} finally {
  await miniflare.dispose();
}
