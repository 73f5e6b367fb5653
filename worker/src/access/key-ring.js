import { all, soon } from "order-cost/internal";

const encoder = new TextEncoder();

/**
 * The API keys. Several may be right at the same time, so that a key can be changed without an outage.
 * @param {string[]} keys
 * @param {Pick<import("../service/service.js").Platform, "signing" | "sameBytes">} platform
 */
export function createKeyRing(keys, { signing: { sha256 }, sameBytes }) {
  /** No promise: orders must share none. */
  let digests;

  return {
    isEmpty: keys.length === 0,

    /**
     * The hash of a key as hex digits. Undefined if it is not on the ring. Compares digests in constant time and all of
     * them, so that the time reveals neither a key nor its length nor its place.
     * @param {string} key
     */
    find(key) {
      if (key === "") return undefined;
      return soon(digests ?? all(keys.map(digestOf)), (known) => {
        digests = known;
        return soon(digestOf(key), onRing);
      });
    },
  };

  function onRing(digest) {
    const matches = digests.map((known) => sameBytes(encoder.encode(digest), encoder.encode(known)));
    return matches.includes(true) ? digest : undefined;
  }

  /** In hexadecimal. On Node it takes no thread of the pool, which a disk that hangs may hold. */
  function digestOf(text) {
    return sha256(encoder.encode(text));
  }
}
