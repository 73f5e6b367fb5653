// Texts on disk, so that the next build onto this version reads nothing from the store but manifests. Without them it
// takes longer, and that is all: what is damaged here counts as missing, and what cannot be written is left out.
import { copyFile, link, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { damageOf } from "order-cost/internal";
import { inGroups, replaceFile } from "../files/index.js";
import { fileOf } from "./version.js";

const FILES_AT_ONCE = 16;

/** No build reads any other kind. */
const KINDS = ["shard", "layer", "branch"];
/** @param {string} key */
const isKept = (key) => KINDS.some((kind) => key.startsWith(`${kind}:`));

/**
 * The texts of a folder, and behind them those of a store, which stay in the folder.
 * @param {string} folder
 * @param {import("./version.js").Texts} store
 * @returns {import("./version.js").Texts}
 */
export const cacheBefore = (folder, store) => ({
  async get(keys) {
    const own = keys.map(async (key) => /** @type {const} */ ([key, await textIn(folder, key)]));
    const found = new Map(await Promise.all(own));
    const missing = keys.filter((key) => found.get(key) === null);
    const read = missing.length > 0 ? await store.get(missing) : [];
    for (const [key, text] of read) {
      found.set(key, text);
      if (text !== null && isKept(key) && (await damageOf(key, text)) === undefined)
        await keep(fileOf(folder, key), (file) => writeFile(file, text));
    }
    return found;
  },
});

/**
 * Null: the folder does not have it.
 * @param {string} folder
 * @param {string} key
 */
async function textIn(folder, key) {
  const text = isKept(key) ? await readFile(fileOf(folder, key), "utf8").catch(() => null) : null;
  return (await damageOf(key, text)) === undefined ? text : null;
}

/**
 * What cannot be kept is read again.
 * @param {string} file
 * @param {(file: string) => Promise<unknown>} write
 */
const keep = (file, write) => replaceFile(file, write).catch(() => {});

/**
 * Keeps what a build wrote, and deletes what is not needed any more.
 * @param {string} folder
 * @param {{ from: string, written: Iterable<string>, needed: Set<string> }} texts `written`: keys of texts in the folder
 *   `from`; `needed`: the keys of all that stays
 */
export async function renewCache(folder, { from, written, needed }) {
  await inGroups([...written].filter(isKept), FILES_AT_ONCE, (key) => {
    const source = fileOf(from, key);
    return keep(fileOf(folder, key), (file) => link(source, file).catch(() => copyFile(source, file)));
  });
  for (const kind of KINDS) {
    const names = await readdir(join(folder, kind)).catch(() => []);
    const needless = names.filter((name) => !needed.has(`${kind}:${name}`));
    await inGroups(needless, FILES_AT_ONCE, (name) => rm(join(folder, kind, name), { force: true }));
  }
}
