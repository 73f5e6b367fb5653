/** 64 bits tell the ids of a shop apart. */
const HASH_DIGITS = 16;

const encoder = new TextEncoder();

/**
 * Makes the function that gives the keyed hash of each id.
 * @param {string} redactKey
 * @returns {(ids: string[]) => Promise<Map<string, string>>}
 */
export function createHashes(redactKey) {
  let key; // not its promise: a request must not wait for another's work

  return async function hashesOf(ids) {
    key ??= await crypto.subtle.importKey("raw", encoder.encode(redactKey), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const hash = async (id) => hex(await crypto.subtle.sign("HMAC", key, encoder.encode(id))).slice(0, HASH_DIGITS);
    return new Map(await Promise.all(ids.map(async (id) => /** @type {const} */ ([id, await hash(id)]))));
  };
}

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
