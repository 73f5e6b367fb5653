// SHA-256 and Ed25519 of WebCrypto: in workerd it is as fast as its node:crypto, which a flag would switch on.

const encoder = new TextEncoder();

const BASE64URL = /** @type {const} */ ({ alphabet: "base64url", omitPadding: true });

/** @type {import("../receipts/receipts.js").Signing} */
export const signing = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex(),

  async signer(jwk) {
    const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["sign"]);
    return async (text) => new Uint8Array(await crypto.subtle.sign("Ed25519", key, encoder.encode(text))).toBase64(BASE64URL);
  },
};
