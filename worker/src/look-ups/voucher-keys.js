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
