// A store that is a folder of files, for pages and for Node: "shard:<hash>" is the file shard/<hash>, as fromUrl asks for it.
import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CURRENT_KEY, groups } from "order-cost/internal";
import { codeOf, Fault, isOfSystem } from "../../command-line/index.js";
import { inGroups, replaceFile } from "../files/index.js";
import { fileOf } from "../versions/index.js";

const FILES_AT_ONCE = 16;
const PAGE = 1000;

/** No other key names a file, so none leads out of the folder. */
const KEY = /^(?:current|[a-z]+:[0-9a-f]+)$/;

/**
 * @param {{ dir: string, mustExist?: boolean }} options
 * @returns {import("./store.js").PlainStore}
 */
export function openDir({ dir, mustExist }) {
  if (mustExist && !existsSync(dir)) throw new Fault(`the folder ${dir} is not there: expected that of a catalogue. Is its disk mounted?`);
  /** @param {string} key */
  const pathOf = (key) => {
    if (!KEY.test(key)) throw new Fault(`${key} is no key of a catalogue: expected an id or a hash, of hexadecimal digits`);
    return fileOf(dir, key);
  };
  /** @param {import("./store.js").Entry} entry */
  const write = ({ key, value }) => replaceFile(pathOf(key), (file) => writeFile(file, value));
  /**
   * @template Item, Result
   * @param {Item[]} items
   * @param {(item: Item) => Promise<Result>} work
   */
  const each = (items, work) => ofSystem(() => inGroups(items, FILES_AT_ONCE, async (item) => work(item)));
  return {
    name: dir,
    get: async (keys) => new Map(await each(keys, async (key) => /** @type {const} */ ([key, await textAt(pathOf(key))]))),
    async *listPages(prefix) {
      yield* groups(await ofSystem(() => keysIn(dir, prefix)), PAGE);
    },
    async put(entries) {
      // What `current` names is there before.
      /** @param {import("./store.js").Entry} entry */
      const isCurrent = ({ key }) => key === CURRENT_KEY;
      await each(
        entries.filter((entry) => !isCurrent(entry)),
        write,
      );
      await each(entries.filter(isCurrent), write);
    },
    async delete(keys) {
      await each(keys, (key) => rm(pathOf(key), { force: true }));
    },
    close: async () => {},
  };
}

/**
 * What the system refuses is a fault.
 * @template T
 * @param {() => Promise<T>} work
 */
async function ofSystem(work) {
  try {
    return await work();
  } catch (error) {
    throw isOfSystem(error) ? new Fault(error.message) : error;
  }
}

/**
 * @template T, Nothing
 * @param {Nothing} nothing
 * @param {Promise<T>} reading
 */
async function orIfAbsent(nothing, reading) {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return nothing;
  }
}

/** @param {string} file */
const textAt = (file) => orIfAbsent(null, readFile(file, "utf8"));

/**
 * The keys with a prefix, sorted. What else lies there is none, such as a file that was not written to its end.
 * @param {string} dir
 * @param {string} prefix
 */
async function keysIn(dir, prefix) {
  const keys = [];
  for (const entry of await orIfAbsent([], readdir(dir, { withFileTypes: true }))) {
    const { name } = entry;
    if (!`${name}:`.startsWith(prefix) && !prefix.startsWith(`${name}:`)) continue;
    if (!entry.isDirectory()) keys.push(name);
    else for (const file of await readdir(join(dir, name))) keys.push(`${name}:${file}`);
  }
  return keys.filter((key) => KEY.test(key) && key.startsWith(prefix)).sort();
}
