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
