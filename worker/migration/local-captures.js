// The captures of `cargo xtask dev --shadow`, in the store of this machine.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { LOCAL_STATE } from "../data/store/index.js";

export const BUCKET = "order-cost-captures";

/** The stores of `wrangler dev` on this machine. */
export const LOCAL_STORES = { kvPersist: path.join(LOCAL_STATE, "v3/kv"), r2Persist: path.join(LOCAL_STATE, "v3/r2") };

/** @typedef {{ texts: [key: string, text: string][], next: string | null }} Page `next`: its cursor */

/** A Worker that answers a page of the bucket's texts. From outside, miniflare would need a request for each, and can hang. */
export const READER = {
  modules: true,
  script: `export default {
  async fetch(request, { CAPTURE: bucket }) {
    const from = new URL(request.url).searchParams.get("cursor") ?? undefined;
    const { objects, truncated, cursor } = await bucket.list({ cursor: from, limit: 500 });
    const texts = await Promise.all(objects.map(async ({ key }) => [key, await (await bucket.get(key)).text()]));
    return Response.json({ texts, next: truncated ? cursor : null });
  },
};`,
  compatibilityDate: "2026-04-26",
  r2Buckets: { CAPTURE: BUCKET },
};

/**
 * Copies the captures of this machine to a folder, also while more are written. Returns how many there are.
 * @param {string} folder
 */
export async function copyLocalCaptures(folder) {
  const { Miniflare } = await import("miniflare"); // takes half a second, which those who want the reader alone need not wait
  const miniflare = new Miniflare({ ...READER, r2Persist: LOCAL_STORES.r2Persist, cf: false }); // `cf` would be downloaded
  try {
    return await copyCaptures((query) => miniflare.dispatchFetch(`http://captures/${query}`), folder);
  } finally {
    await miniflare.dispose();
  }
}

/**
 * Copies what a bucket holds to a folder, a file an object. Returns the number of captures.
 * @param {(query: string) => Promise<{ json(): Promise<unknown> }>} ask the reader
 * @param {string} folder
 */
export async function copyCaptures(ask, folder) {
  await mkdir(folder, { recursive: true });
  let count = 0;
  let query = "";
  do {
    const { texts, next } = /** @type {Page} */ (await (await ask(query)).json());
    for (const [key, text] of texts) {
      const file = path.join(folder, key);
      if (path.relative(folder, file).startsWith("..")) throw new Error(`The key ${JSON.stringify(key)} leads out of the folder`);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
      if (!key.startsWith("zones/")) count += 1;
    }
    query = next === null ? "" : `?cursor=${encodeURIComponent(next)}`;
  } while (query !== "");
  return count;
}
