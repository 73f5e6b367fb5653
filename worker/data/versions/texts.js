// Texts of versions: how a build writes them into its folder, and how they are read.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { createTextCache, hashOf, layerIn, layerKey, mostBytesOf } from "order-cost/internal";
import { Fault } from "../../command-line/index.js";
import { eachText, fileOf } from "./version.js";

/** What was read last stays in memory: the shards of one bucket's products at 400 branches, and more. */
const MEMORY_BYTES = 64 * 2 ** 20;

/**
 * Reads texts as `readRecords` wants them. Who asks at the same time shares a read of all: the store of an account takes a
 * second or two for each call.
 * @param {import("./version.js").Texts} texts
 */
export function readerOf(texts) {
  const memory = createTextCache(MEMORY_BYTES);
  /** @type {ReturnType<typeof begin> | undefined} */
  let next;

  function begin() {
    /** @type {Set<string>} */
    const keys = new Set();
    const reading = immediate().then(async () => {
      next = undefined;
      /** @type {Map<string, string>} */
      const found = new Map();
      await eachText(keys, texts, (key, text) => {
        memory.keep(key, text);
        found.set(key, text);
      });
      return found;
    });
    return { keys, reading };
  }

  /**
   * @param {string[]} keys
   * @returns {Promise<Map<string, string>>} with all of them: `eachText` throws where one is missing
   */
  async function read(keys) {
    /** @type {Map<string, string>} */
    const found = new Map();
    const missing = [];
    for (const key of keys) {
      const text = memory.get(key);
      if (text === undefined) missing.push(key);
      else found.set(key, text);
    }
    if (missing.length === 0) return found;
    next ??= begin();
    const { keys: all, reading } = next;
    for (const key of missing) all.add(key);
    const read = await reading;
    for (const key of missing) found.set(key, /** @type {string} */ (read.get(key)));
    return found;
  }
  return { read, records: memory.records, get: read };
}

/** @typedef {ReturnType<typeof readerOf>} Reader */

/**
 * Layers by their hashes.
 * @param {string[]} hashes
 * @param {Reader} reader
 */
export async function layersAt(hashes, { read }) {
  const texts = await read(hashes.map(layerKey));
  return hashes.map((hash) => layerIn(/** @type {string} */ (texts.get(layerKey(hash)))));
}

/** The texts that a build writes into its folder, and behind them those that it finds elsewhere. */
export class TextFolder {
  #folder;
  #behind;
  /** @type {Set<string>} */
  #known = new Set();
  /** @type {Map<string, Promise<unknown>>} */
  #folders = new Map();
  /**
   * The keys of what was written, and how long it is.
   * @type {Map<string, number>}
   */
  written = new Map();

  /**
   * @param {string} folder
   * @param {import("./version.js").Texts} [behind] absent: all that is read was written
   */
  constructor(folder, behind = { get: async () => new Map() }) {
    this.#folder = folder;
    this.#behind = behind;
  }

  /** @param {Set<string>} keys of texts that are there already */
  leaveOut(keys) {
    this.#known = keys;
  }

  /**
   * @param {string[]} keys
   * @returns {Promise<Map<string, string | null>>}
   */
  async get(keys) {
    const own = keys.filter((key) => this.written.has(key));
    /** @type {Map<string, string | null>} */
    const found = new Map();
    await Promise.all(own.map(async (key) => found.set(key, await readFile(fileOf(this.#folder, key), "utf8"))));
    const others = keys.filter((key) => !this.written.has(key));
    if (others.length > 0) for (const [key, text] of await this.#behind.get(others)) found.set(key, text);
    return found;
  }

  /**
   * @param {(hash: string) => string} keyOf such as `shardKey`
   * @param {string} text
   * @returns {Promise<string>} its hash
   */
  async write(keyOf, text) {
    const hash = await hashOf(text);
    const key = keyOf(hash);
    if (this.#known.has(key) || this.written.has(key)) return hash;
    const [bytes, most] = [Buffer.byteLength(text), mostBytesOf(key)];
    if (bytes > most) throw new Fault(`${key}: expected at most ${most} bytes, got ${bytes}`);
    this.written.set(key, text.length);
    const file = fileOf(this.#folder, key);
    await this.#make(dirname(file));
    await writeFile(file, text);
    return hash;
  }

  /**
   * Once for each kind of text: there are thousands of files.
   * @param {string} folder
   */
  #make(folder) {
    const made = this.#folders.get(folder) ?? mkdir(folder, { recursive: true });
    this.#folders.set(folder, made);
    return made;
  }

  /**
   * Deletes what was written and is not named after all.
   * @param {Set<string>} keys
   */
  async keepOnly(keys) {
    for (const key of this.written.keys()) {
      if (keys.has(key)) continue;
      await rm(fileOf(this.#folder, key));
      this.written.delete(key);
    }
  }
}
