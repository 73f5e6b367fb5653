// Base64url without padding (RFC 4648), for runtimes that have only `atob` and `btoa`.

/**
 * The bytes of a text. Undefined unless it is what `encode` gives for them: other spellings of the same bytes would be other
 * receipts.
 * @param {unknown} text
 * @returns {Uint8Array<ArrayBuffer> | undefined}
 */
export function decode(text) {
  if (typeof text !== "string" || !/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return encode(bytes) === text ? bytes : undefined;
}

/** @param {Uint8Array} bytes some thousand at most */
export const encode = (bytes) => encodeText(String.fromCharCode(...bytes));

/** @param {string} text of ASCII */
export const encodeText = (text) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
