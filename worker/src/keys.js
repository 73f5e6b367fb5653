/** The KV key of the set of delivery zones (a GeoJSON FeatureCollection, D35). */
export const ZONES_KEY = "deliveryZones";

/**
 * The KV key of a price record. The branch is percent-encoded whole, so no branchId can hold a separator,
 * be a path, or name another product's key.
 * @param {number} cprcode
 * @param {string} branchId
 */
export const priceKey = (cprcode, branchId) => `price:${cprcode}:${encodeURIComponent(branchId)}`;

/**
 * The KV key of a voucher record.
 * @param {string} voucherId
 */
export const voucherKey = (voucherId) => `voucher:${encodeURIComponent(voucherId)}`;

/** KV refuses a longer key, and one such key fails its whole bulk read. The keys above are ASCII: a character is a byte. */
const MAX_KEY_BYTES = 512;

/**
 * Whether KV can hold this key at all.
 * @param {string} key
 */
export const canExist = (key) => key.length <= MAX_KEY_BYTES;
