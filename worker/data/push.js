// Uploads a version. What is in use stays as it is.
import { readFile } from "node:fs/promises";
import { CURRENT_KEY, pushingKey, versionKey } from "../src/keys.js";
import { count } from "./count.js";
import { Fault } from "./fault.js";
import { NoManifest, fileOf, folderBefore, keysOf, manifestAt, ownText, readManifest, withLists } from "./version.js";

/**
 * Uploads what the store does not have; `again`: all that the folder has, because a text in the store was altered. A push that was interrupted is continued: `pushing:<id>` guards what it uploaded
 * against `gc`, and `version:<id>` comes last.
 *
 * @param {import("./store.js").Store} store
 * @param {string} folder that `build` wrote
 * @param {{ progress(what: string, total: number): { update(done: number): void, stop(): void } }} report
 * @param {{ again?: boolean, now?: () => Date }} [options]
 * @returns {Promise<{ id: string, wasPublished: boolean, named: number, uploaded: number }>} `named`: how many texts the
 *   version has; `uploaded`: how many of them were written
 */
export async function push(store, folder, report, { again = false, now = () => new Date() } = {}) {
  const manifest = await readManifest(folder);
  const { id } = manifest;
  // Branch lists sort first: from them `gc` learns which shards this push needs.
  const keys = keysOf(await withLists(manifest, folderBefore(folder, store))).sort();
  const own = await ownKeys(folder, keys);

  const wasPublished = await isPublished(store, id);
  if (!wasPublished) await putJson(store, pushingKey(id), { ...manifest, startedAt: now().toISOString() });
  const uploaded = await complete(store, manifest, { folder, keys, own, again }, report);
  if (!wasPublished) await putJson(store, versionKey(id), { ...manifest, pushedAt: now().toISOString() });
  await store.delete([pushingKey(id)]);
  return { id, wasPublished, named: keys.length, uploaded };
}

const putJson = (store, key, value) => store.put([{ key, value: JSON.stringify(value) }]);

async function isPublished(store, id) {
  const found = await store.get([CURRENT_KEY, versionKey(id)]);
  const isThere = new Map();
  for (const [key, text] of found) isThere.set(key, text !== null && (await isManifest(key, text)));
  return isThere.get(versionKey(id));
}

/** Another format: hands off. What is no manifest was spoilt by hand, and a push is a part of mending it. */
async function isManifest(key, text) {
  try {
    await manifestAt(key, text);
    return true;
  } catch (error) {
    if (!(error instanceof NoManifest)) throw error;
    return false;
  }
}

/** The keys whose texts the folder has. */
async function ownKeys(folder, keys) {
  const own = new Set();
  for (const key of keys) if ((await ownText(folder, key)) !== null) own.add(key);
  return own;
}

const readText = (file) =>
  readFile(file, "utf8").catch((error) => {
    throw new Fault(`cannot read ${file}: ${error.message}`);
  });

/** Uploads until nothing is missing: what was there may be deleted meanwhile by a `gc` that began before this push. */
async function complete(store, manifest, { folder, keys, own, again }, report) {
  const uploaded = new Set();
  for (;;) {
    const there = new Set(await store.list(""));
    const isWanted = (key) => !there.has(key) || (again && own.has(key));
    const missing = keys.filter((key) => isWanted(key) && !uploaded.has(key));
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
