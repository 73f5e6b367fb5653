// A version as commands read it: its manifest, and the texts that it names.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  branchIn,
  branchKey,
  CURRENT_KEY,
  changesKey,
  readCurrent as currentOf,
  damageOf,
  groups,
  layerIn,
  layerKey,
  ManifestFault,
  MOST_BULK_KEYS,
  readManifest as manifestOf,
  shardKey,
  shardsIn,
  versionKey,
  zonesKey,
} from "order-cost/internal";
import { Fault } from "../../command-line/index.js";

/**
 * @typedef {import("order-cost/internal").Manifest} Manifest
 * @typedef {import("order-cost/internal").Current} Current
 * @typedef {Pick<Manifest, "zones" | "changes" | "bases" | "branches">} Content what a version names
 * @typedef {import("order-cost/internal").Next} Next
 * @typedef {import("order-cost/internal").Predecessor} Predecessor
 *
 * @typedef {Manifest & { pushedAt?: string, pushedBy?: unknown, note?: unknown }} Published under `version:<id>`: who pushed it when
 *   and why
 * @typedef {Manifest & { startedAt?: string, reliesOn?: string[], of?: number, uploaded?: number }} Pushing under `pushing:<id>`: when
 *   the push began, the versions that it relies on, how many texts there are and how many are dealt with
 *
 * @typedef {{ get(keys: string[]): Promise<Map<string, string | null>> }} Texts a store or a folder
 */

/**
 * The version in use; undefined if there is none. A planned one whose time has come is in use, and what `current` names
 * is its predecessor since then; the next write says so in the store.
 * @param {Texts} store
 * @param {Date} [now]
 * @returns {Promise<Current | undefined>}
 */
export async function readCurrent(store, now = new Date()) {
  const text = await readCurrentText(store);
  return text === null ? undefined : currentIn(text, store, now);
}

/**
 * The version in use, by the text of `current`.
 * @param {string} text
 * @param {Texts} store
 * @param {Date} now
 * @returns {Promise<Current>}
 */
export async function currentIn(text, store, now) {
  const current = await storedIn(text);
  return isDue(current, now) ? switched(current, store) : current;
}

/**
 * What stands in the text of `current`, whatever is due.
 * @param {string} text
 */
export const storedIn = (text) => checked(currentOf(text), CURRENT_KEY, REPLACE);

/**
 * The manifest of it.
 * @param {string} text
 * @returns {Promise<Manifest>}
 */
export async function manifestIn(text) {
  const { activatedAt, predecessors, next, history, ...manifest } = await storedIn(text);
  return manifest;
}

/**
 * Whether the time of a plan has come.
 * @param {Current} current
 * @param {Date} now
 * @returns {current is Current & { next: Next }}
 */
export const isDue = (current, now) => current.next !== undefined && Date.parse(current.next.at) <= now.getTime();

/**
 * @param {Current & { next: Next }} current
 * @param {Texts} store
 * @returns {Promise<Current>}
 */
async function switched({ next, history, ...before }, store) {
  const manifest = await readPublished(store, next.id);
  if (!manifest) {
    const ways = "push it again, or activate another version with --force";
    throw new NoManifest(`${next.id}, planned for ${next.at}, is not published: ${ways}`);
  }
  const predecessors = predecessorsAfter(before, next.id, next.at);
  return { ...manifest, activatedAt: next.at, predecessors, ...(history && { history }) };
}

/**
 * A published version. Undefined: nobody has pushed it, or `gc` has deleted it.
 * @param {Texts} store
 * @param {string} id
 * @returns {Promise<Manifest | undefined>}
 */
export async function readPublished(store, id) {
  const key = versionKey(id);
  const text = (await store.get([key])).get(key) ?? null;
  return text === null ? undefined : contentOf(await manifestAt(key, text));
}

/**
 * @param {Published} published
 * @returns {Manifest}
 */
const contentOf = ({ pushedAt, pushedBy, note, ...manifest }) => manifest;

/** How many predecessors `current` names. */
export const MOST_PREDECESSORS = 10;

/**
 * What was in use before a version that is in use from a time on, the latest first.
 * @param {Partial<Current>} before what it takes the place of
 * @param {string} id
 * @param {string} from
 * @param {{ rolledBack?: true }} [how]
 */
export function predecessorsAfter({ id: left, activatedAt, predecessors = [] }, id, from, how = {}) {
  const older = predecessors.filter((predecessor) => predecessor.id !== left && predecessor.id !== id);
  if (left === undefined || left === id) return older.slice(0, MOST_PREDECESSORS);
  const since = /** @type {string} */ (activatedAt); // what says an id says that, too
  return [{ id: left, from: since, to: from, ...how }, ...older].slice(0, MOST_PREDECESSORS);
}

/** @param {Texts} store */
export const readCurrentText = async (store) => (await store.get([CURRENT_KEY])).get(CURRENT_KEY) ?? null;

/** Cloudflare answers 25 MB at once, and a manifest may have 256 KiB. */
const MANIFESTS_AT_ONCE = 50;

/**
 * The texts of manifests that are there.
 * @param {Texts} store
 * @param {string[]} keys
 * @returns {AsyncGenerator<[key: string, text: string]>}
 */
export async function* manifestTexts(store, keys) {
  for (const some of groups(keys, MANIFESTS_AT_ONCE)) {
    const found = await store.get(some);
    for (const [key, text] of found) if (text !== null) yield [key, text];
  }
}

/**
 * Reads the manifest under a key, as the Worker does.
 * @param {string} key `version:<id>` or `pushing:<id>`
 * @param {string} text
 * @returns {Promise<Published & Pushing>}
 */
export async function manifestAt(key, text) {
  const manifest = await checked(manifestOf(text), key, PUSH_AGAIN);
  if (key.endsWith(`:${manifest.id}`)) return manifest;
  throw new NoManifest(`${key} is refused: it holds the version ${manifest.id}${PUSH_AGAIN}`);
}

const REPLACE = '; "activate <id> --force" replaces it, and may forget what was in use before';
const PUSH_AGAIN = "; push the folder of that version again, or delete the key";

/**
 * @template T
 * @param {Promise<T>} reading
 * @param {string} name
 * @param {string} advice
 */
function checked(reading, name, advice) {
  return reading.catch((fault) => {
    if (!(fault instanceof ManifestFault)) throw fault;
    const what = `${name} is refused: ${fault.message}`;
    if (fault.isOtherFormat) throw new Fault(`${what}; use the version of these commands that wrote it`);
    throw new NoManifest(`${what}${advice}`);
  });
}

/** What no version of these commands wrote. */
export class NoManifest extends Fault {}

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
    if (damage !== undefined) throw new Damage(`${key} is ${damage}: ${MENDING[damage]}`);
  }
  return /** @type {Map<string, string>} */ (found);
}

/** A text is not there, or not what it was. */
export class Damage extends Fault {}

/** www/docs/service/runbook.md says more. */
const MENDING = {
  missing: "push the version that names it again, with --again",
  altered: "push the version that names it again, with --again",
  malformed: "build the version anew from its files",
};

/**
 * Reads what of the texts is there and whole.
 * @param {Texts} texts
 * @param {string[]} keys
 */
export async function readWhole(texts, keys) {
  /** @type {Map<string, string>} */
  const whole = new Map();
  for (const [key, text] of await texts.get(keys)) {
    if (text !== null && (await damageOf(key, text)) === undefined) whole.set(key, text);
  }
  return whole;
}

/** The kinds of texts that versions name: the first part of their keys. Each names only texts of later kinds. */
export const TEXT_KINDS = ["branch", "changes", "layer", "shard", "zones"];

/** The keys of what versions name. Branches and layers are opened to learn which texts they name; each once. */
export class Names {
  /** @type {Set<string>} */
  keys = new Set();
  /**
   * What there is to open, by its kind.
   * @type {Record<Opened, Set<string>>}
   */
  #inner = { branch: new Set(), layer: new Set() };
  /** @type {Set<string>} */
  #opened = new Set();

  /** @param {Content} version */
  add({ zones, changes = [], bases = {}, branches }) {
    if (zones !== null) this.keys.add(zonesKey(zones));
    for (const hash of changes) this.keys.add(changesKey(hash));
    for (const layers of Object.values(bases)) this.#addContent({ layers });
    for (const branch of Object.values(branches)) {
      this.#addContent(branch);
      if (branch.list !== undefined) this.#addInner("branch", branchKey(branch.list));
    }
  }

  /** @param {{ shards?: string[], layers?: string[] }} content */
  #addContent({ shards = [], layers = [] }) {
    for (const hash of shards) if (hash !== "") this.keys.add(shardKey(hash));
    for (const hash of layers) this.#addInner("layer", layerKey(hash));
  }

  /**
   * @param {Opened} kind
   * @param {string} key
   */
  #addInner(kind, key) {
    this.#inner[kind].add(key);
    this.keys.add(key);
  }

  /**
   * Adds what the texts of a kind name.
   * @param {Opened} kind branches first
   * @param {(keys: string[]) => Promise<Map<string, string>>} read may leave out some: they are opened another time
   * @param {Names} [others] what both name is not opened
   */
  async open(kind, read, others) {
    /** @param {string} key */
    // biome-ignore lint/complexity/useOptionalChain: TypeScript refuses it before a private name
    const isShared = (key) => others !== undefined && others.#inner[kind].has(key);
    const closed = [...this.#inner[kind]].filter((key) => !this.#opened.has(key) && !isShared(key));
    for (const some of groups(closed, MOST_BULK_KEYS)) {
      for (const [key, text] of await read(some)) {
        this.#addContent(contentIn(kind, text));
        this.#opened.add(key);
      }
    }
  }
}

const OPENED = /** @type {const} */ (["branch", "layer"]);

/** @typedef {typeof OPENED[number]} Opened */

/**
 * Whether a text names others.
 * @param {string} key
 */
export const isOpened = (key) => OPENED.some((kind) => key.startsWith(`${kind}:`));

/**
 * @param {Opened} kind
 * @param {string} text that is whole
 */
function contentIn(kind, text) {
  if (kind === "layer") return { shards: shardsIn(layerIn(text)) };
  const content = branchIn(text);
  return Array.isArray(content) ? { shards: content } : { ...content };
}

/**
 * The keys of everything that versions name, each once.
 * @param {Iterable<Content>} versions
 * @param {Texts} texts
 * @returns {Promise<Set<string>>}
 */
export async function keysOf(versions, texts) {
  const names = new Names();
  for (const version of versions) names.add(version);
  await openAll(names, (keys) => readTexts(texts, keys));
  return names.keys;
}

/**
 * Adds what the texts of both kinds name.
 * @param {Names} names
 * @param {(keys: string[]) => Promise<Map<string, string>>} read
 * @param {Names} [others]
 */
export async function openAll(names, read, others) {
  for (const kind of OPENED) await names.open(kind, read, others);
}

/**
 * The keys of what a version names and others do not. What is the same costs nothing: texts that both name are not read.
 * So it may give a few too many: what a new text names, and of the others only such a text.
 * @param {Manifest} version
 * @param {Manifest[]} others a damaged text of theirs counts as one that names nothing
 * @param {Texts} texts has those of the others
 * @param {(keys: string[]) => Promise<Map<string, string>>} [read] reads those of the version
 * @returns {Promise<string[]>}
 */
export async function keysBeyond(version, others, texts, read = (keys) => readTexts(texts, keys)) {
  const [own, known] = [new Names(), new Names()];
  own.add(version);
  for (const other of others) known.add(other);
  for (const kind of OPENED) {
    await own.open(kind, read, known);
    await known.open(kind, (keys) => readWhole(texts, keys), own);
  }
  return [...own.keys].filter((key) => !known.keys.has(key));
}

/**
 * Reads whole texts, some at a time, so that they are never all in memory.
 * @param {Iterable<string>} keys
 * @param {Texts} texts
 * @param {(key: string, text: string) => void} take
 */
export async function eachText(keys, texts, take) {
  for (const some of groups([...keys], MOST_BULK_KEYS)) {
    for (const [key, text] of await readTexts(texts, some)) take(key, text);
  }
}

/**
 * The number of records of a version.
 * @param {Pick<Manifest, "branches">} version
 */
export const recordCount = ({ branches }) => Object.values(branches).reduce((sum, { records }) => sum + records, 0);

/**
 * The file of a key in a version's folder.
 * @param {string} folder
 * @param {string} key
 */
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
  return checked(manifestOf(text), file, "; build again");
}

/**
 * The text of a key in a folder; null: the folder does not have it.
 * @param {string} folder
 * @param {string} key
 * @returns {Promise<string | null>}
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
    /** @type {Map<string, string | null>} */
    const found = new Map();
    for (const key of keys) found.set(key, await ownText(folder, key));
    const missing = keys.filter((key) => found.get(key) === null);
    if (missing.length > 0) for (const [key, text] of await store.get(missing)) found.set(key, text);
    return found;
  },
});
