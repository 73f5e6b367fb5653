const encoder = new TextEncoder();

/**
 * The API keys. Several may be right at the same time, so that a key can be changed without an outage.
 * @param {string[]} keys
 * @param {Pick<import("../service/service.js").Platform, "signing" | "sameBytes">} platform
 */
export function createKeyRing(keys, { signing: { sha256 }, sameBytes }) {
  /** Plain bytes: orders must share no promise. */
  let digests;

  return {
    isEmpty: keys.length === 0,

    /**
     * The hash of a key as hex digits. Undefined if it is not on the ring. Compares digests in constant time and all of
     * them, so that the time reveals neither a key nor its length nor its place.
     * @param {string} key
     */
    async find(key) {
      if (key === "") return undefined;
      digests ??= await Promise.all(keys.map(digestOf));
      return onRing(await digestOf(key));
    },

    /** The same where signing is `atOnce`. Undefined, too, if nothing was sought before. */
    findNow: (key) => (digests && key !== "" ? onRing(sha256(encoder.encode(key))) : undefined),
  };

  function onRing(digest) {
    const matches = digests.map((known) => sameBytes(encoder.encode(digest), encoder.encode(known)));
    return matches.includes(true) ? digest : undefined;
  }

  /** In hexadecimal. On Node it takes no thread of the pool, which a disk that hangs may hold. */
  async function digestOf(text) {
    return sha256(encoder.encode(text));
  }
}
