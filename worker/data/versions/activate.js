// Switches the version in use, by one write of `current`: now, back, or at a time to come.
import { CURRENT_KEY, historyIn, versionKey } from "order-cost/internal";
import { Fault, moment } from "../../command-line/index.js";
import { newestReadable, record } from "./history.js";
import {
  currentIn,
  Damage,
  eachText,
  isDue,
  isOpened,
  keysBeyond,
  manifestIn,
  NoManifest,
  predecessorsAfter,
  readCurrentText,
  readPublished,
} from "./version.js";

/** KV may show an old value for longer than a minute. An isolate must have seen a plan before its time comes. */
const LEAST_AHEAD_MS = 10 * 60_000;

/**
 * @typedef {import("order-cost/internal").Manifest} Manifest
 * @typedef {import("order-cost/internal").Current} Current
 * @typedef {import("order-cost/internal").Next} Next
 * @typedef {Partial<Current> & Pick<Current, "predecessors">} Used what is in use, or what is left of a `current` that was spoilt
 * @typedef {import("./history.js").Why} Why
 *
 * @typedef {{ id: string, before: string | undefined, isChanged: boolean, manifest: Manifest, dropped?: Next }} Switched
 *   `before`: what was in use; not `isChanged`: that was it; `dropped`: a plan that does not count any more
 */

/**
 * @param {import("../store/store.js").Store} store
 * @param {string} id of a published version
 * @param {object} options
 * @param {string} [options.at] the time from which it is in use, as in `2026-11-30T17:00:00.000Z`; absent: now
 * @param {boolean} [options.isFolder] whether the store is a folder of files
 * @param {boolean} [options.force] `current` is written even if it is no manifest, or names the same
 *   version: so a `current` that was spoilt is mended
 * @param {(manifest: Manifest, current: Used | undefined) => Promise<void>} [options.check] throws a Fault where the
 *   version changes more than it may
 * @param {(done: number, total: number) => void} [options.onProgress] how many texts were read
 * @param {string} [options.by] who does it
 * @param {string} [options.note] why
 * @param {() => Date} [now]
 * @returns {Promise<Switched>}
 */
export async function activate(
  store,
  id,
  { at, isFolder = false, force = false, check, onProgress = () => {}, ...why } = {},
  now = () => new Date(),
) {
  const refuseSoon = isFolder ? refusePast : refuseUnseen;
  if (at !== undefined) refuseSoon(at, now());
  const text = await readCurrentText(store);
  const current = await inUse(store, text, now(), force);
  if (!force && isWhole(current) && current.id === id) return stay(store, current, at, why, now);
  const manifest = await published(store, id);
  if (at !== undefined) refusePlan(current);
  if (current && !wasInUse(current, id)) refuseOtherBase(manifest, current);
  await refuseDamaged(store, manifest, current, force, onProgress);
  await check?.(manifest, current);
  await refuseChange(store, text, id, current, now());
  if (at !== undefined) {
    refuseSoon(at, now());
    await plan(store, id, at, /** @type {Current} */ (current), why, now); // see refusePlan
  } else await switchTo(store, manifest, current, { action: "activate", at: now().toISOString(), why });
  return { id, before: current?.id, isChanged: true, manifest, ...droppedOf(current) };
}

/** @param {Used | undefined} current */
const droppedOf = (current) => (current?.next ? { dropped: current.next } : {});

/**
 * Goes one version back: to what was in use before, and was not itself left by a rollback. It reads no text of that
 * version: `gc` keeps whole what this goes back to.
 *
 * @param {import("../store/store.js").Store} store
 * @param {import("./history.js").Why} [why]
 * @param {() => Date} [now]
 * @returns {Promise<Switched>}
 */
export async function rollback(store, why = {}, now = () => new Date()) {
  const time = now();
  const text = await readCurrentText(store);
  if (text === null) throw new Fault("nothing is in use yet: activate a version first");
  const current = await currentIn(text, store, time);
  const target = targetOf(current);
  if (!target) throw new Fault(`${current.id} has no predecessor left: activate another version by its id`);
  const standing = await manifestIn(text); // after a plan has come due, the one before still stands there
  const manifest = standing.id === target.id ? standing : await published(store, target.id);
  const how = { rolledBack: /** @type {const} */ (true) };
  await switchTo(store, manifest, current, { action: "rollback", at: time.toISOString(), why, how });
  return { id: target.id, before: current.id, isChanged: true, manifest, ...droppedOf(current) };
}

/**
 * What a rollback goes back to.
 * @param {Current} current
 */
export const targetOf = ({ id, predecessors }) => predecessors.find((one) => !one.rolledBack && one.id !== id);

/**
 * Takes back what is planned.
 *
 * @param {import("../store/store.js").Store} store
 * @param {import("./history.js").Why} [why]
 * @param {() => Date} [now]
 * @returns {Promise<Next & { inUse: string }>} the plan, and what stays in use
 */
export async function cancel(store, why = {}, now = () => new Date()) {
  const time = now();
  const text = await readCurrentText(store);
  const current = text === null ? undefined : await currentIn(text, store, time);
  const next = current?.next;
  if (!next) throw new Fault(noPlan(text));
  await takeBack(store, current, next, why, time);
  return { ...next, inUse: current.id };
}

/** @param {string | null} text of `current` */
function noPlan(text) {
  const next = text === null ? undefined : historyIn(text)?.next;
  if (!next) return "nothing is planned";
  return `${next.id} is in use since ${moment(next.at)}, as planned: "rollback" goes back`;
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {Current} current
 * @param {Next} plan its own
 * @param {Why} why
 * @param {Date} time
 */
async function takeBack(store, { next, ...current }, plan, why, time) {
  const { id: before, history: previous = null } = current;
  const deed = { action: /** @type {const} */ ("cancel"), id: plan.id, at: time.toISOString(), before, planned: plan.at, previous };
  await writeCurrent(store, { ...current, history: await record(store, deed, why) });
}

/**
 * The version is in use already. A plan of another one does not survive that.
 * @param {import("../store/store.js").Store} store
 * @param {Current} current
 * @param {string | undefined} at
 * @param {Why} why
 * @param {() => Date} now
 * @returns {Promise<Switched>}
 */
async function stay(store, current, at, why, now) {
  const { id, next } = current;
  if (at !== undefined) throw new Fault(`${id} is in use already: plan another version`);
  if (next) await takeBack(store, current, next, why, now());
  return { id, before: id, isChanged: false, manifest: current, ...droppedOf(current) };
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {string} id
 */
async function published(store, id) {
  const manifest = await readPublished(store, id);
  if (!manifest) throw new Fault(`${id} is not published: push it first`);
  return manifest;
}

/**
 * The version in use; by force also what is left of a `current` that was spoilt. Another format is no such: hands off.
 * @param {import("../store/store.js").Store} store
 * @param {string | null} text
 * @param {Date} now
 * @param {boolean} force
 * @returns {Promise<Used | undefined>}
 */
async function inUse(store, text, now, force) {
  if (text === null) return undefined;
  try {
    return await currentIn(text, store, now);
  } catch (error) {
    if (!force || !(error instanceof NoManifest)) throw error;
    return remains(store, text);
  }
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {string} text
 * @returns {Promise<Used>}
 */
async function remains(store, text) {
  const past = historyIn(text);
  const id = past && (await publishedOnly(store, past.id));
  return { predecessors: [], ...past, id, history: await newestReadable(store, text) };
}

/**
 * An id that nobody published was altered, too: no rollback could go back to it.
 * @param {import("../store/store.js").Store} store
 * @param {string} id
 */
async function publishedOnly(store, id) {
  const key = versionKey(id);
  return (await store.get([key])).get(key) === null ? undefined : id;
}

/**
 * Of a `current` that was spoilt, nobody knows what it named.
 * @param {Used | undefined} current
 * @returns {current is Current}
 */
export const isWhole = (current) => current?.branches !== undefined;

/**
 * A folder shows a plan as soon as it shows a switch.
 * @param {string} at
 * @param {Date} now
 */
function refusePast(at, now) {
  if (Date.parse(at) <= now.getTime()) throw new Fault(`--at ${at} has passed: without --at the version is in use at once`);
}

/**
 * @param {string} at
 * @param {Date} now
 */
function refuseUnseen(at, now) {
  if (Date.parse(at) - now.getTime() >= LEAST_AHEAD_MS) return;
  throw new Fault(`--at ${at} is less than ten minutes ahead: KV promises no bound for how long isolates see the old value`);
}

/** @param {Used | undefined} current */
function refusePlan(current) {
  if (isWhole(current)) return;
  throw new Fault("nothing readable is in use until then: activate a version without --at first");
}

/**
 * What was in use as it is may be so again: who activates it by its id knows it.
 * @param {Used} current
 * @param {string} id
 */
const wasInUse = (current, id) => current.id === id || current.predecessors.some((predecessor) => predecessor.id === id);

/**
 * A version that took over rows or zones would undo what others changed since.
 * @param {Manifest} version
 * @param {Used} current
 */
function refuseOtherBase({ id, onto, zones, zonesFrom }, current) {
  if (onto !== null && current.id !== undefined && onto !== current.id) {
    throw new Fault(`${id} was built onto ${onto}, but ${current.id} is in use: build again with --onto current`);
  }
  if (zonesFrom !== null && current.zones !== undefined && zones !== current.zones) {
    throw new Fault(`${id} took over the zones of ${zonesFrom}, but ${current.id} is in use, with other zones: build again`);
  }
}

/**
 * Reads what the version names and the version in use does not. Where nothing readable is in use, that is all of it: by
 * force, only its layers are read then, because orders fail meanwhile.
 * @param {import("../store/store.js").Store} store
 * @param {Manifest} manifest
 * @param {Used | undefined} current
 * @param {boolean} force
 * @param {(done: number, total: number) => void} onProgress
 */
async function refuseDamaged(store, manifest, current, force, onProgress) {
  try {
    const keys = await keysBeyond(manifest, isWhole(current) ? [current] : [], store);
    if (force && !isWhole(current)) return;
    const unread = keys.filter((key) => !isOpened(key));
    let done = 0;
    await eachText(unread, store, () => onProgress((done += 1), unread.length));
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    throw new Fault(`${manifest.id} is incomplete: ${error.message}`);
  }
}

/**
 * The check may take minutes. Who switched meanwhile must not be undone unawares, and `gc` may have run.
 * @param {import("../store/store.js").Store} store
 * @param {string | null} text
 * @param {string} id
 * @param {Used | undefined} current
 * @param {Date} now
 */
async function refuseChange(store, text, id, current, now) {
  const found = await store.get([CURRENT_KEY, versionKey(id)]);
  if (found.get(versionKey(id)) === null) throw new Fault(`${id} was deleted by gc meanwhile: push it again`);
  const isPlanDue = isWhole(current) && isDue(current, now);
  if (found.get(CURRENT_KEY) === text && !isPlanDue) return;
  throw new Fault('somebody switched or planned meanwhile: "status" shows it; run this again if it is still right');
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {string} id
 * @param {string} at
 * @param {Current} current
 * @param {Why} why
 * @param {() => Date} now
 */
async function plan(store, id, at, current, why, now) {
  const { id: before, history: previous = null } = current;
  const deed = { action: /** @type {const} */ ("plan"), id, at: now().toISOString(), before, planned: at, previous };
  await writeCurrent(store, { ...current, next: { id, at }, history: await record(store, deed, why) });
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {Manifest} manifest
 * @param {Used | undefined} current
 * @param {{ action: "activate" | "rollback", at: string, why: Why, how?: { rolledBack: true } }} deed
 */
async function switchTo(store, manifest, current, { action, at, why, how }) {
  const { id: before = null, history: previous = null } = current ?? {};
  const history = await record(store, { action, id: manifest.id, at, before, previous }, why);
  const predecessors = predecessorsAfter(current ?? {}, manifest.id, at, how);
  await writeCurrent(store, { ...manifest, activatedAt: at, predecessors, history });
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {Current} current
 */
async function writeCurrent(store, current) {
  await store.put([{ key: CURRENT_KEY, value: JSON.stringify(current) }]).catch((error) => {
    if (!(error instanceof Fault)) throw error;
    // Without this, a rollback that did succeed may be run again, and go back twice.
    throw new Fault(`${error.message}; "status" says whether it was done all the same`);
  });
}
