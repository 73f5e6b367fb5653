// Nuxt for Cloudflare Workers, in wrangler's workerd.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { handled, only, pages, post, shown } from "./ways.js";

const NAME = "Nuxt, Cloudflare";
const LINE = "experimental: { wasm: true },";

/** What the server's log says without the line. */
const LINE_IS_MISSING = /Could not load the WebAssembly module of order-cost: .* in Nuxt, set nitro: \{ experimental: \{ wasm: true \} \}/;

export const nuxtOnCloudflare = {
  "nuxt-cloudflare": [
    { name: `${NAME}, page`, package: "nuxt", entries: pages(shown(start)), nightly: true },
    { name: `${NAME}, server`, package: "nuxt", entries: only(handled(start)), nightly: true },
    {
      name: `${NAME}, server, without \`experimental.wasm\``,
      package: "nuxt",
      entries: only(logWithoutLine),
      fails: { "order-cost": LINE_IS_MISSING },
      nightly: true,
    },
  ],
};

async function start(workspace) {
  await workspace.run("nuxt", ["build"]);
  const options = ["--cwd", ".output", "dev", "--ip", "127.0.0.1", "--inspector-port", "0", "--port"];
  return workspace.serve("wrangler", (port) => [...options, String(port)]);
}

/** Fails with the server's log. */
async function logWithoutLine(workspace) {
  const file = workspace.path("nuxt.config.ts");
  const text = await readFile(file, "utf8");
  assert.ok(text.includes(LINE), `nuxt.config.ts: expected ${LINE}`);
  await writeFile(file, text.replace(LINE, ""));
  const { url, stop } = await start(workspace);
  await post(`${url}price`);
  const { output } = await stop();
  throw new Error(output);
}
