// SHA-256 and Ed25519 of Node's own. Its WebCrypto takes threads of the pool for each, and more than twice as much CPU time.
import { createPrivateKey, hash, sign } from "node:crypto";

/** @type {import("../../receipts/receipts.js").Signing} */
export const signing = {
  sha256: (bytes) => hash("sha256", bytes, "hex"),

  signer(jwk) {
    const key = createPrivateKey({ key: jwk, format: "jwk" });
    return (text) => sign(null, Buffer.from(text), key).toString("base64url");
  },
};
