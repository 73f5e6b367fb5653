// Makes receipts as the service does, and with whatever a test wants to be wrong.
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { DEFAULT_POLICY } from "../../pkg/core/policies.js";

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
export const base64url = (value) => Buffer.from(value).toString("base64url");

/** A key pair: its private key, and its public one as a JWK. */
export function makeKey(kid) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { privateKey, jwk: { ...publicKey.export({ format: "jwk" }), kid } };
}

export const IAT = 1_795_000_000;
export const EXP = IAT + 900;

export const payloadOf = (request, response) => ({
  request: sha256(request),
  response: sha256(response),
  module: "0".repeat(64),
  policy: { ...DEFAULT_POLICY, rowTotal: "list" },
  dataVersion: "0123456789abcdef",
  jti: "3b241101-e2bb-4255-8caf-4136c566a962",
  requestId: "4a0f1d0e-7a0b-4b8e-8f0a-0d0c0b0a0908",
  iat: IAT,
  exp: EXP,
});

export const headerOf = (kid) => ({ alg: "EdDSA", kid, typ: "order-cost-receipt+jwt" });

/** A header and a payload, as values or as text. */
export function signed(key, header, payload) {
  const [first, second] = [header, payload].map((part) => base64url(typeof part === "string" ? part : JSON.stringify(part)));
  const text = `${first}.${second}`;
  return `${text}.${sign(null, Buffer.from(text), key.privateKey).toString("base64url")}`;
}
