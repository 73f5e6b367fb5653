// Uploads a version. What is in use stays as it is.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pushingKey, versionKey } from "../../pkg/catalogue/keys.js";
import { count } from "./count.js";
import { Fault } from "./fault.js";
import {
  NoManifest,
  TEXT_KINDS,
  fileOf,
  folderBefore,
  keysBeyond,
  keysOf,
  manifestAt,
  ownText,
  readCurrent,
  readManifest,
  readPublished,
  readWhole,
} from "./version.js";

/** How often a push writes down how far it has come: KV takes one write a second to a key. */
const NOTE_MS = 5000;

/**
 * Uploads what the folder has and the version in use does not name; `again`: all that the folder has, because a text in
 * the store was altered or deleted. `pushing:<id>` comes first: it guards what is uploaded against `gc`, and says how far
 * the push has come, so that the next run uploads only the rest. `version:<id>` comes last.
 *
 * @param {import("./store.js").Store} store
 * @param {string} folder that `build` wrote
 * @param {{ progress(what: string, total: number): { update(done: number): void, stop(): void } }} report
 * @param {{ again?: boolean, by?: string, note?: string, now?: () => Date }} [options] `by`, `note`: who pushes, and why
 * @returns {Promise<{ id: string, wasPublished: boolean, uploaded: number, there: number }>} how many texts of the folder
 *   were uploaded, and how many were there already
 */
export async function push(store, folder, report, { again = false, by, note, now = () => new Date() } = {}) {
  const { keepsZones, ...manifest } = await readManifest(folder); // a store has the zones of its versions
  const { id } = manifest;
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

const putJson = (store, key, value) => store.put([{ key, value: JSON.stringify(value) }]);

/** What is no manifest was spoilt by hand, and a push is a part of mending it. */
async function orNothing(reading) {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof NoManifest)) throw error;
    return undefined;
  }
}

const readUsed = ({ store, now }) => orNothing(readCurrent(store, now()));
const readOther = (store, id) => orNothing(readPublished(store, id));

/** The keys of the folder's texts, sorted: what names others comes before them, so that `gc` knows them early. */
async function ownKeys(folder) {
  const keys = [];
  for (const kind of TEXT_KINDS) {
    for (const hash of await filesIn(join(folder, kind))) keys.push(`${kind}:${hash}`);
  }
  return keys.sort();
}

function filesIn(folder) {
  return readdir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw new Fault(`cannot read ${folder}: ${error.message}`);
  });
}

/** Uploads until nothing is missing. A version whose texts it relied on may be deleted meanwhile: then it looks again. */
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

const NOTHING = { uploaded: 0, reliesOn: [] };

/** How many of the folder's texts an interrupted push has dealt with. What it relied on must still be there. */
async function readBegun(job) {
  const key = pushingKey(job.manifest.id);
  const text = (await job.store.get([key])).get(key);
  const { uploaded, of, reliesOn } = (text !== null && (await orNothing(manifestAt(key, text)))) || {};
  const isUsable = Number.isInteger(uploaded) && of === job.own.length && Array.isArray(reliesOn) && !job.again;
  return isUsable && (await areThere(job, reliesOn)) ? { uploaded, reliesOn } : NOTHING;
}

/** The versions whose texts are there: the one in use, and those that this one took something over from. */
async function readOthers(job) {
  const { store, manifest } = job;
  const used = await readUsed(job);
  const ids = new Set([manifest.onto, manifest.zonesFrom].filter((id) => id !== null && id !== used?.id));
  const bases = await Promise.all([...ids].map((id) => readOther(store, id)));
  return [used, ...bases].filter(Boolean);
}

async function areThere(job, ids) {
  const used = await readUsed(job);
  const published = await job.store.get(ids.map(versionKey));
  return ids.every((id) => id === used?.id || published.get(versionKey(id)) !== null);
}

const EMPTY_STORE = { get: async (keys) => new Map(keys.map((key) => [key, null])) };

/** What the version names and the others do not. The folder has all of that, or the push is refused. */
async function keysToHave(job, others) {
  const texts = folderBefore(job.folder, EMPTY_STORE);
  const wanted = await keysBeyond(job.manifest, others, job.store, (keys) => readWhole(texts, keys));
  const own = new Set(job.own);
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

async function refuse({ store, folder, manifest: { id, onto } }, lost) {
  await store.delete([pushingKey(id)]);
  const what = `${count(lost.length, "text")} that it names (${lost[0]}) ${lost.length === 1 ? "is" : "are"}`;
  const why = onto === null ? "" : `; its base ${onto} may have been deleted by gc`;
  throw new Fault(`cannot push ${id}: ${what} neither in ${folder} nor in the store${why}: build again`);
}

/** Writes down how many of the folder's texts are dealt with. */
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

/** Uploads texts of the folder, but for the first ones and those that this run has sent before. */
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

async function textOf(folder, key) {
  const text = await ownText(folder, key);
  if (text === null) throw new Fault(`cannot read ${fileOf(folder, key)}: it is gone`);
  return text;
}
