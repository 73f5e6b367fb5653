// Deletes the versions that nobody needs any more, and the texts that only they name.
import { CURRENT_KEY, versionKey } from "../src/keys.js";
import { MOST_PREDECESSORS } from "./activate.js";
import { Fault } from "./fault.js";
import { keysOf, manifestAt, withLists } from "./version.js";

const HOUR = 3_600_000;
/** Isolates, caches and orders under way may still ask for a version that was in use. */
const STILL_READ_MS = 24 * HOUR;
/** A push that began earlier is given up. */
const PUSH_MS = 7 * 24 * HOUR;

const VERSIONS = "version:";
const PUSHES = "pushing:";
const TEXTS = /^(?:shard|zones|branch):/;

/**
 * @param {import("./store.js").Store} store
 * @param {{ keep: number }} options how many of the newest versions stay
 * @param {() => Date} [now]
 * @returns {Promise<{ kept: string[], deleted: string[], texts: number, textsKept: number, pushes: number }>} the ids of
 *   versions, how many texts went and stayed, and how many given-up pushes went
 */
export async function gc(store, { keep }, now = () => new Date()) {
  const keys = await store.list("");
  const manifests = await readManifests(store, keys);
  const all = (prefix) =>
    Array.from(manifests).flatMap(([key, manifest]) => (key.startsWith(prefix) ? [manifest] : []));
  const published = all(VERSIONS);
  const current = manifests.get(CURRENT_KEY);
  const fresh = all(PUSHES).filter(({ startedAt }) => isWithin(PUSH_MS, startedAt, now()));

  const ids = keptIds({ current, published, fresh, keep, now: now() });
  const kept = published.filter(({ id }) => ids.has(id));
  const deleted = published.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  const named = await keysNamed(store, [current, ...fresh, ...kept].filter(Boolean));
  const texts = keys.filter((key) => TEXTS.test(key));
  const unnamed = texts.filter((key) => !named.has(key));
  const givenUp = [...manifests.keys()].filter((key) => key.startsWith(PUSHES) && !fresh.includes(manifests.get(key)));

  // Versions first: whatever stops this, a version that is left is whole.
  await deleteAll(store, deleted.map(versionKey));
  if (unnamed.length > 0) await refuseChange(store, manifests);
  await deleteAll(store, unnamed);
  await deleteAll(store, givenUp);
  return {
    kept: kept.map(({ id }) => id),
    deleted,
    texts: unnamed.length,
    textsKept: texts.length - unnamed.length,
    pushes: givenUp.length,
  };
}

const deleteAll = (store, keys) => (keys.length === 0 ? undefined : store.delete(keys));

/** What is in use, published and being pushed, by key; without what is not there (any more). */
async function readManifests(store, keys) {
  const named = keys.filter((key) => key.startsWith(VERSIONS) || key.startsWith(PUSHES));
  const manifests = new Map();
  for (const [key, text] of await store.get([...named, CURRENT_KEY])) {
    if (text !== null) manifests.set(key, await manifestAt(key, text));
  }
  return manifests;
}

/** A push that began meanwhile, or is over already, may rely on a text that is about to go; so may an activation. */
async function refuseChange(store, before) {
  const keys = await store.list("");
  const pushes = keys.filter((key) => key.startsWith(PUSHES));
  const isNew = keys.some((key) => /^(?:version|pushing):/.test(key) && !before.has(key));
  const isSame = ([key, manifest]) => JSON.stringify(manifest) === JSON.stringify(before.get(key));
  if (!isNew && Array.from(await readManifests(store, pushes)).every(isSame)) return;
  throw new Fault(
    "gc stopped before it deleted any text: a push or an activation began meanwhile; run gc again after it",
  );
}

/** A time that is none counts as recent: nothing is deleted on its account. */
const isWithin = (span, time, now) => !(now.getTime() - Date.parse(time) >= span);

function keptIds({ current, published, fresh, keep, now }) {
  const recent = current?.predecessors.filter(({ to }) => isWithin(STILL_READ_MS, to, now)) ?? [];
  // A full list has forgotten what else was in use within that time.
  const isForgetful = recent.length >= MOST_PREDECESSORS;
  const newest = isForgetful ? published : published.toSorted(newestFirst).slice(0, keep);
  // What a rollback goes back to stays, however long ago it was in use.
  const target = current?.predecessors.find(({ rolledBack }) => !rolledBack);
  const ids = [current, target, ...recent, ...newest, ...fresh].filter(Boolean).map(({ id }) => id);
  refuseUnknown(recent, published, current);
  return new Set(ids);
}

const newestFirst = (left, right) => Date.parse(right.pushedAt) - Date.parse(left.pushedAt);

function refuseUnknown(recent, published, current) {
  const unknown = recent.find(({ id }) => id !== current.id && !published.some((version) => version.id === id));
  if (!unknown) return;
  const until = "gc deletes nothing until 24 hours after that";
  throw new Fault(
    `${unknown.id} was in use until ${unknown.to}, and nothing says any more which texts it names: ${until}`,
  );
}

async function keysNamed(store, manifests) {
  const keys = new Set();
  for (const manifest of manifests) {
    const version = await withLists(manifest, store).catch((error) => {
      if (!(error instanceof Fault)) throw error;
      throw new Fault(`gc deleted nothing, as it cannot tell which texts ${manifest.id} names: ${error.message}`);
    });
    for (const key of keysOf(version)) keys.add(key);
  }
  return keys;
}
