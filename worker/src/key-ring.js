/**
 * The API keys. Several may be right at the same time, so that a key can be changed without an outage.
 * @param {string[]} keys
 * @param {(left: ArrayBuffer, right: ArrayBuffer) => boolean} sameBytes in constant time
 */
export function createKeyRing(keys, sameBytes) {
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
      const digest = await digestOf(key);
      const matches = digests.map((known) => sameBytes(digest, known));
      return matches.includes(true) ? hex(digest) : undefined;
    },
  };
}

const digestOf = (text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
