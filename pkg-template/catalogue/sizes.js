const MIB = 2 ** 20;

/** KV stores no larger value. */
const MOST_VALUE_BYTES = 25 * MIB;

/** Kinds that are read by the hundred have less: many times what `npm run data` makes of a large shop. */
const MOST_BYTES = { shard: MIB, branch: MIB, layer: 4 * MIB };

/**
 * How many bytes a text may have. A build writes no larger one.
 * @param {string} key
 */
export const mostBytesOf = (key) => MOST_BYTES[key.slice(0, Math.max(0, key.indexOf(":")))] ?? MOST_VALUE_BYTES;
