// A version as commands read it: its manifest, and the texts that it names.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FORMAT, hashOf } from "../src/catalogue/format.js";
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
  if (text === null) return undefined;
  try {
    return parseManifest(text, CURRENT_KEY);
  } catch (error) {
    if (error instanceof NoManifest) error.message += `; "activate <id> --force" replaces it, and forgets what was in use before`;
    throw error;
  }
}

/** @param {Texts} store */
export const readCurrentText = async (store) => (await store.get([CURRENT_KEY])).get(CURRENT_KEY);

/**
 * @param {string} text
 * @param {string} name for the message
 */
export function parseManifest(text, name) {
  let manifest;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new NoManifest(`${name} is no manifest: expected JSON`);
  }
  if (Number.isInteger(manifest?.format) && manifest.format !== FORMAT) {
    throw new Fault(`${name} has the format ${manifest.format}; these commands know ${FORMAT} only: use their newer version`);
  }
  if (manifest?.format === FORMAT && typeof manifest.id === "string" && isObject(manifest.branches)) return manifest;
  throw new NoManifest(`${name} is no manifest: expected one with a format, an id and branches`);
}

const isObject = (value) => typeof value === "object" && value !== null;

/** A text that no version of these commands wrote. */
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
  const lists = branches.map(([id, { shards, list }]) => [id, shards ?? JSON.parse(found.get(branchKey(list)))]);
  return { ...manifest, lists: new Map(lists) };
}

/**
 * Reads texts that a version names. One that is missing or damaged is a fault.
 * @param {Texts} texts
 * @param {string[]} keys
 * @returns {Promise<Map<string, string>>}
 */
export async function readTexts(texts, keys) {
  const found = await texts.get(keys);
  for (const key of keys) {
    const text = found.get(key) ?? null;
    if (text === null) throw new Fault(`${key} is missing in the store: push the version that names it again`);
    if ((await hashOf(text)) !== key.split(":")[1]) throw new Fault(`${key} is damaged: its text has another hash`);
  }
  return found;
}

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
  return parseManifest(text, file);
}

/**
 * The texts of a folder, and behind them those of a store.
 * @param {string} folder
 * @param {Texts} store
 * @returns {Texts}
 */
export const folderBefore = (folder, store) => ({
  async get(keys) {
    const read = (key) => readFile(fileOf(folder, key), "utf8").catch(() => null);
    const found = new Map();
    for (const key of keys) found.set(key, await read(key));
    const missing = keys.filter((key) => found.get(key) === null);
    if (missing.length > 0) for (const [key, text] of await store.get(missing)) found.set(key, text);
    return found;
  },
});
