// Ed25519 keys as JWKs (RFC 8037).
import { decode, encode } from "./base64url.js";

const KEY_BYTES = 32;

/** Whether a value is the public part of an Ed25519 key, or a whole one. */
export const isKey = (jwk) => jwk?.kty === "OKP" && jwk.crv === "Ed25519" && isPart(jwk.x);

/** Whether a text is one half of a key. */
export const isPart = (text) => decode(text)?.length === KEY_BYTES;

/**
 * What names a key: its own `kid`, or its thumbprint (RFC 7638).
 * @param {{ kid?: string, crv: string, kty: string, x: string }} jwk
 */
export async function keyId({ kid, crv, kty, x }) {
  if (kid !== undefined) return kid;
  const text = JSON.stringify({ crv, kty, x });
  return encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** Whether a key has signed a text. Rejects in a runtime without Ed25519. */
export async function hasSigned({ kty, crv, x }, text, signature) {
  // Not the whole JWK: runtimes differ in what they take for its `alg`.
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, new TextEncoder().encode(text));
}
