// Uploads a version. What is in use stays as it is.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hashOf } from "../src/catalogue/format.js";
import { CURRENT_KEY, pushingKey, versionKey } from "../src/keys.js";
import { count } from "./count.js";
import { Fault } from "./fault.js";
import { fileOf, folderBefore, keysOf, parseManifest, readManifest, withLists } from "./version.js";

/**
 * Uploads what the store does not have. A push that was interrupted is continued: `pushing:<id>` guards what it uploaded
 * against `gc`, and `version:<id>` comes last.
 *
 * @param {import("./store.js").Store} store
 * @param {string} folder that `build` wrote
 * @param {{ progress(what: string, total: number): { update(done: number): void, stop(): void } }} report
 * @param {() => Date} [now]
 * @returns {Promise<{ id: string, wasPublished: boolean, named: number, uploaded: number }>} `named`: how many texts the
 *   version has; `uploaded`: how many of them the store did not have
 */
export async function push(store, folder, report, now = () => new Date()) {
  const manifest = await readManifest(folder);
  const { id } = manifest;
  // Branch lists sort first: from them `gc` learns which shards this push needs.
  const keys = keysOf(await withLists(manifest, folderBefore(folder, store))).sort();
  const own = await checkedFiles(folder, keys);

  const wasPublished = await isPublished(store, id);
  if (!wasPublished) await putJson(store, pushingKey(id), { ...manifest, startedAt: now().toISOString() });
  const uploaded = await complete(store, manifest, { folder, keys, own }, report);
  if (!wasPublished) await putJson(store, versionKey(id), { ...manifest, pushedAt: now().toISOString() });
  await store.delete([pushingKey(id)]);
  return { id, wasPublished, named: keys.length, uploaded };
}

const putJson = (store, key, value) => store.put([{ key, value: JSON.stringify(value) }]);

async function isPublished(store, id) {
  const found = await store.get([CURRENT_KEY, versionKey(id)]);
  for (const [key, text] of found) if (text !== null) parseManifest(text, key); // a newer format: hands off
  return found.get(versionKey(id)) !== null;
}

/** The keys whose texts the folder has. */
async function checkedFiles(folder, keys) {
  const own = new Set();
  for (const key of keys) {
    const file = fileOf(folder, key);
    if (!existsSync(file)) continue;
    if ((await hashOf(await readText(file))) !== key.split(":")[1]) {
      throw new Fault(`${file} is damaged: expected a text with the hash that is its name; build again`);
    }
    own.add(key);
  }
  return own;
}

const readText = (file) =>
  readFile(file, "utf8").catch((error) => {
    throw new Fault(`cannot read ${file}: ${error.message}`);
  });

/** Uploads until nothing is missing: what was there may be deleted meanwhile by a `gc` that began before this push. */
async function complete(store, manifest, { folder, keys, own }, report) {
  const uploaded = new Set();
  for (;;) {
    const there = new Set(await store.list(""));
    const missing = keys.filter((key) => !there.has(key) && !uploaded.has(key));
    if (missing.length === 0) return uploaded.size;
    const lost = missing.filter((key) => !own.has(key));
    if (lost.length > 0) await refuse(store, manifest, folder, lost);
    await upload(store, folder, missing, report);
    for (const key of missing) uploaded.add(key);
  }
}

async function refuse(store, { id, onto }, folder, lost) {
  await store.delete([pushingKey(id)]);
  const what = `${count(lost.length, "text")} that it names (${lost[0]}) ${lost.length === 1 ? "is" : "are"}`;
  const why = onto === null ? "" : `; its base ${onto} may have been deleted by gc`;
  throw new Fault(`cannot push ${id}: ${what} neither in ${folder} nor in the store${why}: build again`);
}

async function upload(store, folder, keys, report) {
  async function* entries() {
    for (const key of keys) yield { key, value: await readText(fileOf(folder, key)) };
  }
  const bar = report.progress("Uploading", keys.length);
  try {
    await store.put(entries(), (done) => bar.update(done));
  } finally {
    bar.stop();
  }
}
