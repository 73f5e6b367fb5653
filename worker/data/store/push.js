// Uploads a version. What is in use stays as it is.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pushingKey, versionKey } from "order-cost/internal";
import { count, Fault } from "../../command-line/index.js";
import {
  fileOf,
  folderBefore,
  keysBeyond,
  keysOf,
  manifestAt,
  NoManifest,
  ownText,
  readCurrent,
  readManifest,
  readPublished,
  readWhole,
  TEXT_KINDS,
} from "../versions/index.js";

/** How often a push writes down how far it has come: KV takes one write a second to a key. */
const NOTE_MS = 5000;

/**
 * @typedef {object} Job
 * @property {import("./store.js").Store} store
 * @property {string} folder
 * @property {Manifest} manifest
 * @property {string[]} own the keys of the folder's texts
 * @property {Set<string>} sent those that this run has uploaded
 * @property {boolean} again
 * @property {{ progress(what: string, total: number): Pick<import("../input/build-input.js").Bar, "update" | "stop"> }} report
 * @property {() => Date} now
 *
 * @typedef {import("../versions/version.js").Manifest} Manifest
 * @typedef {{ uploaded: number, reliesOn: string[] }} Begun how many of the folder's texts an interrupted push has dealt with, and
 *   the versions that it relied on
 */

/**
 * Uploads what the folder has and the version in use does not name; `again`: all that the folder has, because a text in
 * the store was altered or deleted. `pushing:<id>` comes first: it guards what is uploaded against `gc`, and says how far
 * the push has come, so that the next run uploads only the rest. `version:<id>` comes last.
 *
 * @param {import("./store.js").Store} store
 * @param {string} folder that `build` wrote
 * @param {Job["report"]} report
 * @param {{ again?: boolean, by?: string, note?: string, now?: () => Date }} [options] `by`, `note`: who pushes, and why
 * @returns {Promise<{ id: string, wasPublished: boolean, uploaded: number, there: number }>} how many texts of the folder
 *   were uploaded, and how many were there already
 */
export async function push(store, folder, report, { again = false, by, note, now = () => new Date() } = {}) {
  const { keepsZones, ...manifest } = await readManifest(folder); // a store has the zones of its versions
  const { id } = manifest;
  /** @type {Job} */
  const job = { store, folder, manifest, own: await ownKeys(folder), sent: new Set(), again, report, now };
  await readUsed(job); // of another format: hands off
  const wasPublished = (await readOther(store, id)) !== undefined;
  if (!wasPublished) {
    await complete(job);
    const why = { ...(by && { pushedBy: by }), ...(note && { note }) };
    await putJson(store, versionKey(id), { ...manifest, pushedAt: now().toISOString(), ...why });
  } else if (again) await send(job, 0, job.own);
  await store.delete([pushingKey(id)]);
  return { id, wasPublished, uploaded: job.sent.size, there: job.own.length - job.sent.size };
}

/**
 * @param {import("./store.js").Store} store
 * @param {string} key
 * @param {object} value
 */
const putJson = (store, key, value) => store.put([{ key, value: JSON.stringify(value) }]);

/**
 * What is no manifest was spoilt by hand, and a push is a part of mending it.
 * @template T
 * @param {Promise<T>} reading
 */
async function orNothing(reading) {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof NoManifest)) throw error;
    return undefined;
  }
}

/** @param {Pick<Job, "store" | "now">} job */
const readUsed = ({ store, now }) => orNothing(readCurrent(store, now()));
/**
 * @param {import("./store.js").Store} store
 * @param {string} id
 */
const readOther = (store, id) => orNothing(readPublished(store, id));

/**
 * The keys of the folder's texts, sorted: what names others comes before them, so that `gc` knows them early.
 * @param {string} folder
 */
async function ownKeys(folder) {
  const keys = [];
  for (const kind of TEXT_KINDS) {
    for (const hash of await filesIn(join(folder, kind))) keys.push(`${kind}:${hash}`);
  }
  return keys.sort();
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
function filesIn(folder) {
  return readdir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw new Fault(`cannot read ${folder}: ${error.message}`);
  });
}

/**
 * Uploads until nothing is missing. A version whose texts it relied on may be deleted meanwhile: then it looks again.
 * @param {Job} job
 */
async function complete(job) {
  for (let begun = await readBegun(job); ; begun = NOTHING) {
    const others = await readOthers(job);
    const wanted = new Set(await keysToHave(job, others));
    const reliesOn = [...new Set([...begun.reliesOn, ...others.map(({ id }) => id)])];
    const note = noteOf(job, reliesOn);
    await note(begun.uploaded);
    await send(job, begun.uploaded, job.again ? job.own : job.own.filter((key) => wanted.has(key)), note);
    if (await areThere(job, reliesOn)) return;
  }
}

/** @type {Begun} */
const NOTHING = { uploaded: 0, reliesOn: [] };

/**
 * How far an interrupted push has come. What it relied on must still be there.
 * @param {Job} job
 * @returns {Promise<Begun>}
 */
async function readBegun(job) {
  const key = pushingKey(job.manifest.id);
  const text = (await job.store.get([key])).get(key) ?? null;
  const begun = text === null ? undefined : await orNothing(manifestAt(key, text));
  const { uploaded = NaN, of, reliesOn } = begun ?? {};
  const isUsable = Number.isInteger(uploaded) && of === job.own.length && Array.isArray(reliesOn) && !job.again;
  return isUsable && (await areThere(job, reliesOn)) ? { uploaded, reliesOn } : NOTHING;
}

/**
 * The versions whose texts are there: the one in use, and those that this one took something over from.
 * @param {Job} job
 */
async function readOthers(job) {
  const { store, manifest } = job;
  const used = await readUsed(job);
  const ids = new Set([manifest.onto, manifest.zonesFrom].filter((id) => id !== null).filter((id) => id !== used?.id));
  const bases = await Promise.all([...ids].map((id) => readOther(store, id)));
  return [used, ...bases].filter((version) => version !== undefined);
}

/**
 * @param {Job} job
 * @param {string[]} ids
 */
async function areThere(job, ids) {
  const used = await readUsed(job);
  const published = await job.store.get(ids.map(versionKey));
  return ids.every((id) => id === used?.id || published.get(versionKey(id)) !== null);
}

/** @type {import("../versions/version.js").Texts} */
const EMPTY_STORE = { get: async (keys) => new Map(keys.map((key) => [key, null])) };

/**
 * What the version names and the others do not. The folder has all of that, or the push is refused.
 * @param {Job} job
 * @param {Manifest[]} others
 */
async function keysToHave(job, others) {
  const texts = folderBefore(job.folder, EMPTY_STORE);
  const wanted = await keysBeyond(job.manifest, others, job.store, (keys) => readWhole(texts, keys));
  const own = new Set(job.own);
  /** @param {string} key */
  const isLost = (key) => !own.has(key);
  if (!wanted.some(isLost)) return wanted;
  // `keysBeyond` opens no text that both name, and a new text may name what only such a text names. `build` knows that, and
  // leaves it out. All is opened only here, because a large shop has thousands of texts to open.
  const known = await keysOf(others, job.store);
  const beyond = wanted.filter((key) => !known.has(key));
  const lost = beyond.filter(isLost);
  if (lost.length > 0) await refuse(job, lost);
  return beyond;
}

/**
 * @param {Job} job
 * @param {string[]} lost
 */
async function refuse({ store, folder, manifest: { id, onto } }, lost) {
  await store.delete([pushingKey(id)]);
  const what = `${count(lost.length, "text")} that it names (${lost[0]}) ${lost.length === 1 ? "is" : "are"}`;
  const why = onto === null ? "" : `; its base ${onto} may have been deleted by gc`;
  throw new Fault(`cannot push ${id}: ${what} neither in ${folder} nor in the store${why}: build again`);
}

/**
 * Writes down how many of the folder's texts are dealt with.
 * @param {Job} job
 * @param {string[]} reliesOn
 * @returns {(uploaded: number) => Promise<void>}
 */
function noteOf({ store, manifest, own, now }, reliesOn) {
  const startedAt = now().toISOString();
  let last = -Infinity;
  return async (uploaded) => {
    const time = now().getTime();
    if (time - last < NOTE_MS) return;
    last = time;
    await putJson(store, pushingKey(manifest.id), { ...manifest, startedAt, reliesOn, of: own.length, uploaded });
  };
}

/**
 * Uploads texts of the folder, but for the first ones and those that this run has sent before.
 * @param {Job} job
 * @param {number} first
 * @param {string[]} keys
 * @param {(uploaded: number) => Promise<void>} [note]
 */
async function send({ store, folder, own, sent, report }, first, keys, note = async () => {}) {
  const isDone = new Set(own.slice(0, first));
  const left = keys.filter((key) => !isDone.has(key) && !sent.has(key));
  const bar = report.progress("Uploading", left.length);
  let written = 0;
  async function* entries() {
    let noted = 0;
    for (const key of left) {
      // The store asks for the next text when it has written those before.
      if (written > noted) await note(own.indexOf(left[written]));
      noted = written;
      yield { key, value: await textOf(folder, key) };
    }
  }
  try {
    await store.put(entries(), (done) => {
      written = done;
      bar.update(done);
    });
  } finally {
    bar.stop();
    for (const key of left.slice(0, written)) sent.add(key);
  }
}

/**
 * @param {string} folder
 * @param {string} key
 */
async function textOf(folder, key) {
  const text = await ownText(folder, key);
  if (text === null) throw new Fault(`cannot read ${fileOf(folder, key)}: it is gone`);
  return text;
}
