/** The bytes of a base64 text. A test runner that bundles for a page may have left out Buffer. */
export const bytesOfBase64 = (base64) =>
  globalThis.Buffer?.from(base64, "base64") ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
