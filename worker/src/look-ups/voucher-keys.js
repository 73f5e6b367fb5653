/** What the field of an id names: `voucher` of `voucherId`. */
export const nounOf = (field) => field.slice(0, -"Id".length).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The KV key of a record, by the field of its id. */
export const recordKey = (field, id) => `${field.slice(0, -"Id".length)}:${encodeURIComponent(id)}`;

/** @param {string} voucherId */
export const voucherKey = (voucherId) => recordKey("voucherId", voucherId);

/**
 * KV refuses longer keys, and one such key fails its whole bulk read. A record's key is ASCII: one byte per character.
 */
const MAX_KEY_BYTES = 512;

/**
 * Whether KV can store this key.
 * @param {string} key
 */
export const canExist = (key) => key.length <= MAX_KEY_BYTES;
