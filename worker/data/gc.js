// Deletes the versions that nobody needs any more, and the texts that only they name.
import { CURRENT_KEY, versionKey } from "../src/keys.js";
import { MOST_PREDECESSORS } from "./activate.js";
import { Fault } from "./fault.js";
import { keysOf, parseManifest, withLists } from "./version.js";

const HOUR = 3_600_000;
/** Isolates, caches and orders under way may still ask for a version that was in use. */
const STILL_READ_MS = 24 * HOUR;
/** A push that began earlier is given up. */
const PUSH_MS = 7 * 24 * HOUR;

const VERSIONS = "version:";
const PUSHES = "pushing:";
const CONTENTS = /^(?:shard|zones|branch):/;

/**
 * @param {import("./store.js").Store} store
 * @param {{ keep: number }} options how many of the newest versions stay
 * @param {() => Date} [now]
 * @returns {Promise<{ kept: string[], deleted: string[], texts: number, textsKept: number, pushes: number }>} the ids of
 *   versions, how many texts went and stayed, and how many given-up pushes went
 */
export async function gc(store, { keep }, now = () => new Date()) {
  // In this order: a text listed here whose push is over by the next read is named by a version that the last read finds.
  const contents = (await store.list("")).filter((key) => CONTENTS.test(key));
  const inUse = await readInUse(store);
  const published = await readAll(store, await store.list(VERSIONS));

  const current = inUse.get(CURRENT_KEY);
  const pushes = Array.from(inUse.values()).filter((manifest) => manifest !== current);
  const fresh = pushes.filter(({ startedAt }) => isWithin(PUSH_MS, startedAt, now()));
  const kept = keptIds({ current, published, fresh, keep, now: now() });
  const keptVersions = Array.from(published.values()).filter(({ id }) => kept.has(id));
  const named = await keysNamed(store, [current, ...fresh, ...keptVersions].filter(Boolean));

  const deleted = Array.from(published.values(), ({ id }) => id).filter((id) => !kept.has(id));
  const unnamed = contents.filter((key) => !named.has(key));
  const givenUp = Array.from(inUse.keys()).filter((key) => key !== CURRENT_KEY && !fresh.includes(inUse.get(key)));
  // Versions first: whatever stops this, a version that is left is whole.
  await deleteAll(store, deleted.map(versionKey));
  if (unnamed.length > 0) await refuseChange(store, inUse, published);
  await deleteAll(store, unnamed);
  await deleteAll(store, givenUp);
  return { kept: keptVersions.map(({ id }) => id), deleted, texts: unnamed.length, textsKept: contents.length - unnamed.length, pushes: givenUp.length };
}

const deleteAll = (store, keys) => (keys.length === 0 ? undefined : store.delete(keys));

/** What is in use, and the pushes under way, by key. */
async function readInUse(store) {
  return readAll(store, [...(await store.list(PUSHES)), CURRENT_KEY]);
}

/** Manifests by key, without those that are not there (any more). */
async function readAll(store, keys) {
  const found = keys.length === 0 ? new Map() : await store.get(keys);
  const manifests = new Map();
  for (const [key, text] of found) if (text !== null) manifests.set(key, parseManifest(text, key));
  return manifests;
}

/** A push that began meanwhile, or is over already, may rely on a text that is about to go; so may an activation. */
async function refuseChange(store, inUse, published) {
  const pushes = await store.list(PUSHES);
  const versions = await store.list(VERSIONS);
  const after = await readAll(store, [...pushes, CURRENT_KEY]);
  const isNew = pushes.some((key) => !inUse.has(key)) || versions.some((key) => !published.has(key));
  const isOther = Array.from(after).some(([key, manifest]) => JSON.stringify(manifest) !== JSON.stringify(inUse.get(key)));
  if (!isNew && !isOther) return;
  throw new Fault("gc stopped before it deleted any text: a push or an activation began meanwhile; run gc again after it");
}

const isWithin = (span, time, now) => now.getTime() - Date.parse(time) < span;

function keptIds({ current, published, fresh, keep, now }) {
  const versions = Array.from(published.values());
  const recent = current?.predecessors.filter(({ to }) => isWithin(STILL_READ_MS, to, now)) ?? [];
  // A full list has forgotten what else was in use within that time.
  const isForgetful = recent.length >= MOST_PREDECESSORS;
  const newest = isForgetful ? versions : versions.sort(newestFirst).slice(0, keep);
  const ids = [current, ...recent, ...newest, ...fresh].filter(Boolean).map(({ id }) => id);
  refuseUnknown(recent, published, current);
  return new Set(ids);
}

const newestFirst = (left, right) => Date.parse(right.pushedAt) - Date.parse(left.pushedAt);

function refuseUnknown(recent, published, current) {
  const unknown = recent.find(({ id }) => id !== current.id && !published.has(versionKey(id)));
  if (!unknown) return;
  throw new Fault(
    `${unknown.id} was in use until ${unknown.to}, and nothing says any more which texts it names: gc deletes nothing until 24 hours after that`,
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
