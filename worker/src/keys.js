/** The KV key of the version in use (see format.js). One write of it switches all prices and zones. */
export const CURRENT_KEY = "current";

/**
 * The KV keys of a published version, and of one whose upload is under way.
 * @param {string} id
 */
export const versionKey = (id) => `version:${id}`;
export const pushingKey = (id) => `pushing:${id}`;

/**
 * The KV keys of what versions consist of: price records, delivery zones (a GeoJSON FeatureCollection, D35), and the
 * list of a branch's shards. Each is named by the hash of its text.
 * @param {string} hash
 */
export const shardKey = (hash) => `shard:${hash}`;
export const zonesKey = (hash) => `zones:${hash}`;
export const branchKey = (hash) => `branch:${hash}`;

/**
 * The KV key of a voucher record.
 * @param {string} voucherId
 */
export const voucherKey = (voucherId) => `voucher:${encodeURIComponent(voucherId)}`;

/**
 * KV refuses longer keys, and one such key fails its whole bulk read. A voucher's key is ASCII: one byte per character.
 */
const MAX_KEY_BYTES = 512;

/**
 * Whether KV can store this key.
 * @param {string} key
 */
export const canExist = (key) => key.length <= MAX_KEY_BYTES;
