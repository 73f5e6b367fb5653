// The names of what a catalogue consists of: keys in KV; paths in a folder and in URLs, with "/" for ":".

/** Cloudflare's KV reads so many at once. */
export const MOST_BULK_KEYS = 100;

/** Names the version in use. One write of it switches all prices and zones. */
export const CURRENT_KEY = "current";

/**
 * A published version, and one whose upload is under way.
 * @param {string} id
 */
export const versionKey = (id) => `version:${id}`;
export const pushingKey = (id) => `pushing:${id}`;

const SHARD = "shard:";

/**
 * What versions consist of, each named by the hash of its text: price records, the shards of a layer, the layers of a
 * branch, delivery zones (a GeoJSON FeatureCollection, D35), and what a version changes about the one before.
 * @param {string} hash
 */
export const shardKey = (hash) => `${SHARD}${hash}`;
export const layerKey = (hash) => `layer:${hash}`;
export const branchKey = (hash) => `branch:${hash}`;
export const zonesKey = (hash) => `zones:${hash}`;
export const changesKey = (hash) => `changes:${hash}`;

/**
 * Who switched versions when and why. Each entry names the one before.
 * @param {string} hash
 */
export const historyKey = (hash) => `history:${hash}`;

/** Whether a key ends in the hash of its text, which therefore never changes. */
export const isNamedByContent = (key) => /^(?:shard|layer|branch|zones|changes|history):/.test(key);

/** @param {string} key */
export const isShard = (key) => key.startsWith(SHARD);

/** What of a key follows its kind: a hash, or an id. */
export const hashIn = (key) => key.slice(key.indexOf(":") + 1);

const MIB = 2 ** 20;

/** KV stores no larger value. */
const MOST_VALUE_BYTES = 25 * MIB;

/** Lists of names have less: many times what `npm run data` makes of a large shop. A record may be large. */
const MOST_BYTES = { branch: MIB, layer: 4 * MIB };

/**
 * How many bytes a text may have. A build writes no larger one.
 * @param {string} key
 */
export const mostBytesOf = (key) => MOST_BYTES[key.slice(0, Math.max(0, key.indexOf(":")))] ?? MOST_VALUE_BYTES;
