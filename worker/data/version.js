// A version as commands read it: its manifest, and the texts that it names.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { damageOf } from "../src/catalogue/damage.js";
import * as manifests from "../src/catalogue/manifest.js";
import { CURRENT_KEY, branchKey, shardKey, zonesKey } from "../src/keys.js";
import { Fault } from "./fault.js";

/**
 * @typedef {import("../src/catalogue/format.js").Manifest} Manifest
 * @typedef {Manifest & { lists: Map<string, string[]> }} Version `lists` has the hashes of each branch's shards
 * @typedef {{ get(keys: string[]): Promise<Map<string, string | null>> }} Texts a store or a folder
 */

/**
 * The version in use; undefined if there is none.
 * @param {Texts} store
 * @returns {Promise<import("../src/catalogue/format.js").Current | undefined>}
 */
export async function readCurrent(store) {
  const text = await readCurrentText(store);
  return text === null ? undefined : manifestAt(CURRENT_KEY, text);
}

/** @param {Texts} store */
export const readCurrentText = async (store) => (await store.get([CURRENT_KEY])).get(CURRENT_KEY);

/**
 * Reads the manifest under a key, as the Worker does.
 * @param {string} key `current`, `version:<id>` or `pushing:<id>`
 * @param {string} text
 */
export async function manifestAt(key, text) {
  if (key === CURRENT_KEY) return checked(manifests.readCurrent(text), key, REPLACE);
  const manifest = await checked(manifests.readManifest(text), key, PUSH_AGAIN);
  if (key.endsWith(`:${manifest.id}`)) return manifest;
  throw new NoManifest(`${key} is refused: it holds the version ${manifest.id}${PUSH_AGAIN}`);
}

const REPLACE = '; "activate <id> --force" replaces it, and may forget what was in use before';
const PUSH_AGAIN = "; push the folder of that version again, or delete the key";

function checked(reading, name, advice) {
  return reading.catch((fault) => {
    if (!(fault instanceof manifests.ManifestFault)) throw fault;
    const what = `${name} is refused: ${fault.message}`;
    if (fault.isOtherFormat) throw new Fault(`${what}; use the version of these commands that wrote it`);
    throw new NoManifest(`${what}${advice}`);
  });
}

/** What no version of these commands wrote. */
export class NoManifest extends Fault {}

/**
 * Reads which shards each branch has. Of a large version, that is a level below the manifest.
 * @param {Manifest} manifest
 * @param {Texts} texts
 * @returns {Promise<Version>}
 */
export async function withLists(manifest, texts) {
  const branches = Object.entries(manifest.branches);
  const keys = branches.flatMap(([, { list }]) => (list === undefined ? [] : [branchKey(list)]));
  const found = keys.length === 0 ? new Map() : await readTexts(texts, [...new Set(keys)]);
  const lists = branches.map(([id, branch]) => [id, branch.shards ?? listIn(found, branch)]);
  return { ...manifest, lists: new Map(lists) };
}

function listIn(texts, { list, shardCount }) {
  const key = branchKey(list);
  const shards = manifests.shardList(texts.get(key), shardCount);
  if (!shards) throw new Fault(`${key} is malformed: expected a list of ${shardCount} shards: ${MENDING.malformed}`);
  return shards;
}

/**
 * Reads texts that a version names. One that is damaged is a fault.
 * @param {Texts} texts
 * @param {string[]} keys
 * @returns {Promise<Map<string, string>>}
 */
export async function readTexts(texts, keys) {
  const found = await texts.get(keys);
  for (const key of keys) {
    const damage = await damageOf(key, found.get(key) ?? null);
    if (damage !== undefined) throw new Fault(`${key} is ${damage}: ${MENDING[damage]}`);
  }
  return found;
}

/** RUNBOOK.md says more. */
const MENDING = {
  missing: "push the version that names it again",
  altered: "push the version that names it again, with --again",
  malformed: "build the version anew from its files",
};

/**
 * The keys of everything that a version names, each once.
 * @param {Version} version
 */
export function keysOf({ zones, branches, lists }) {
  const keys = [...lists.values()].flat().filter(Boolean).map(shardKey);
  for (const { list } of Object.values(branches)) if (list !== undefined) keys.push(branchKey(list));
  if (zones !== null) keys.push(zonesKey(zones));
  return [...new Set(keys)];
}

/** The number of records of a version. */
export const recordCount = ({ branches }) => Object.values(branches).reduce((sum, { records }) => sum + records, 0);

/** The file of a key in a version's folder. */
export const fileOf = (folder, key) => join(folder, ...key.split(":"));

export const MANIFEST_FILE = "manifest.json";

/**
 * The version in a folder that `build` wrote. It has only what its store may lack; the rest comes from the store.
 * @param {string} folder
 */
export async function readManifest(folder) {
  const file = join(folder, MANIFEST_FILE);
  const text = await readFile(file, "utf8").catch(() => {
    throw new Fault(`${folder} holds no version: expected the folder that build --out names`);
  });
  return checked(manifests.readManifest(text), file, "; build again");
}

/**
 * The text of a key in a folder; null: the folder does not have it.
 * @param {string} folder
 * @param {string} key
 */
export async function ownText(folder, key) {
  const file = fileOf(folder, key);
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return null;
    throw new Fault(`cannot read ${file}: ${error.message}`);
  });
  const damage = text === null ? undefined : await damageOf(key, text);
  if (damage !== undefined) throw new Fault(`${file} is ${damage}: build again`);
  return text;
}

/**
 * The texts of a folder, and behind them those of a store.
 * @param {string} folder
 * @param {Texts} store
 * @returns {Texts}
 */
export const folderBefore = (folder, store) => ({
  async get(keys) {
    const found = new Map();
    for (const key of keys) found.set(key, await ownText(folder, key));
    const missing = keys.filter((key) => found.get(key) === null);
    if (missing.length > 0) for (const [key, text] of await store.get(missing)) found.set(key, text);
    return found;
  },
});
