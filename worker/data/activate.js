// Switches the version in use, by one write of `current`.
import { historyIn } from "../src/catalogue/manifest.js";
import { CURRENT_KEY, versionKey } from "../src/keys.js";
import { count } from "./count.js";
import { Fault } from "./fault.js";
import { NoManifest, keysOf, manifestAt, readCurrent, readCurrentText, withLists } from "./version.js";

/** How many predecessors `current` names. */
export const MOST_PREDECESSORS = 10;

/**
 * @typedef {import("../src/catalogue/format.js").Manifest} Manifest
 * @typedef {import("../src/catalogue/format.js").Current} Current
 * @typedef {{ id: string, before: string | undefined, isChanged: boolean, manifest: Manifest }} Switched `before`: what
 *   was in use; not `isChanged`: that was it, and nothing was written
 */

/**
 * @param {import("./store.js").Store} store
 * @param {string} id of a published version
 * @param {object} options
 * @param {boolean} [options.force] without the check; and `current` is written even if it is no manifest, or names the same
 *   version: so a `current` that was spoilt is mended
 * @param {(manifest: Manifest, current: Current | undefined) => Promise<void>} [options.check] throws a Fault where the
 *   version changes more than it may
 * @param {() => Date} [now]
 * @returns {Promise<Switched>}
 */
export async function activate(store, id, { force = false, check } = {}, now = () => new Date()) {
  const current = force ? await readReplaceable(store) : await readCurrent(store);
  if (current?.id === id && !force) return { id, before: id, isChanged: false, manifest: current };
  const manifest = await readPublished(store, id);
  if (current && !wasInUse(current, id)) refuseOtherBase(manifest, current);
  await refuseIncomplete(store, manifest);
  if (!force) await check?.(manifest, current);
  await switchTo(store, manifest, current, now);
  return { id, before: current?.id, isChanged: true, manifest };
}

/**
 * Goes one version back: to what was in use before, and was not itself left by a rollback.
 *
 * @param {import("./store.js").Store} store
 * @param {() => Date} [now]
 * @returns {Promise<Switched>}
 */
export async function rollback(store, now = () => new Date()) {
  const current = await readCurrent(store);
  if (!current) throw new Fault("nothing is in use yet: activate a version first");
  const target = current.predecessors.find(({ id, rolledBack }) => !rolledBack && id !== current.id);
  if (!target) throw new Fault(`${current.id} has no predecessor left: activate another version by its id`);
  const manifest = await readPublished(store, target.id);
  await refuseIncomplete(store, manifest);
  await switchTo(store, manifest, current, now, { rolledBack: true });
  return { id: target.id, before: current.id, isChanged: true, manifest };
}

async function readPublished(store, id) {
  const key = versionKey(id);
  const text = (await store.get([key])).get(key);
  if (text === null) throw new Fault(`${id} is not published: push it first ("status" lists what is published)`);
  const { pushedAt, ...manifest } = await manifestAt(key, text);
  return manifest;
}

/** The version in use; of a `current` that was spoilt, what was in use when. Another format is no such: hands off. */
async function readReplaceable(store) {
  try {
    return await readCurrent(store);
  } catch (error) {
    if (!(error instanceof NoManifest)) throw error;
    const history = historyIn(await readCurrentText(store));
    return history && { ...history, id: await publishedOnly(store, history.id) };
  }
}

/** An id that nobody published was altered, too: no rollback could go back to it. */
async function publishedOnly(store, id) {
  const key = versionKey(id);
  return (await store.get([key])).get(key) === null ? undefined : id;
}

/** What was in use as it is may be so again: who activates it by its id knows it. */
const wasInUse = (current, id) => current.id === id || current.predecessors.some((predecessor) => predecessor.id === id);

/** A version that took over rows or zones would undo what others changed since. */
function refuseOtherBase({ id, onto, zones, zonesFrom }, current) {
  if (onto !== null && current.id !== undefined && onto !== current.id) {
    throw new Fault(`${id} was built onto ${onto}, but ${current.id} is in use: build again with --onto current`);
  }
  if (zonesFrom !== null && current.zones !== undefined && zones !== current.zones) {
    throw new Fault(`${id} took over the zones of ${zonesFrom}, but ${current.id} is in use, with other zones: build again`);
  }
}

/**
 * Throws a Fault if the store does not have all texts that a version names.
 * @param {import("./store.js").Store} store
 * @param {Manifest} manifest
 */
export async function refuseIncomplete(store, manifest) {
  const keys = keysOf(await withLists(manifest, store));
  const there = new Set(await store.list(""));
  const missing = keys.filter((key) => !there.has(key));
  if (missing.length === 0) return;
  const what = `${count(missing.length, "text")} of ${keys.length.toLocaleString("en")} (${missing[0]})`;
  const are = missing.length === 1 ? "is" : "are";
  throw new Fault(`${manifest.id} is incomplete: ${what} ${are} missing in the store: push it again`);
}

async function switchTo(store, manifest, current, now, how = {}) {
  const activatedAt = now().toISOString();
  const left = current?.id !== undefined && current.id !== manifest.id && { id: current.id, from: current.activatedAt, to: activatedAt, ...how };
  const older = current?.predecessors.filter(({ id }) => id !== current.id && id !== manifest.id) ?? [];
  const predecessors = [left, ...older].filter(Boolean).slice(0, MOST_PREDECESSORS);
  const value = JSON.stringify({ ...manifest, activatedAt, predecessors });
  await store.put([{ key: CURRENT_KEY, value }]).catch((error) => {
    if (!(error instanceof Fault)) throw error;
    // Without this, a rollback that did succeed may be run again, and go back twice.
    throw new Fault(`${error.message}; "status" says whether it was done all the same`);
  });
}
