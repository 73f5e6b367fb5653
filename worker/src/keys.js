/** The KV key of the set of delivery zones (a GeoJSON FeatureCollection, D35). */
export const ZONES_KEY = "deliveryZones";

/**
 * The KV key of a price record. The whole branch is percent-encoded, so that a branchId cannot contain a separator or
 * form the key of another product.
 * @param {number} cprcode
 * @param {string} branchId
 */
export const priceKey = (cprcode, branchId) => `price:${cprcode}:${encodeURIComponent(branchId)}`;

/**
 * The KV key of a voucher record.
 * @param {string} voucherId
 */
export const voucherKey = (voucherId) => `voucher:${encodeURIComponent(voucherId)}`;

/**
 * KV refuses longer keys, and one such key fails its whole bulk read. The keys above are ASCII: one byte per character.
 */
const MAX_KEY_BYTES = 512;

/**
 * Whether KV can store this key.
 * @param {string} key
 */
export const canExist = (key) => key.length <= MAX_KEY_BYTES;
