// The keys of receipts, as variables hold them: Ed25519 as JWKs. No text of one is ever shown.
import { isKey, isPart } from "order-cost/internal";

const PRIVATE = 'an Ed25519 private key as a JWK, {"kty":"OKP","crv":"Ed25519","d":"…","x":"…"}: "npm run receipt-key" makes one';
const PUBLIC = 'a list of Ed25519 public keys as JWKs, [{"kty":"OKP","crv":"Ed25519","x":"…"}], as GET /receipt-key answers them';

/** It stands in each receipt. */
const KEY_ID = /^[\x21-\x7e]{1,128}$/;

/** The members that count. An `alg` and a `use` say nothing more of such a key; runtimes differ in which they take. */
const publicPart = ({ kty, crv, x, kid }) => ({ kty, crv, x, ...(kid !== undefined && { kid }) });

/**
 * @typedef {{ kty: string, crv: string, x: string, kid?: string }} PublicKey
 * @typedef {PublicKey & { d: string }} PrivateKey
 */

/** @returns {PrivateKey} */
export function receiptKey(text, name) {
  const jwk = json(text);
  if (!isUsable(jwk) || !isPart(jwk.d)) refuse(name, PRIVATE);
  return { ...publicPart(jwk), d: jwk.d };
}

/** A list, or a set of keys as `/receipt-key` answers it. */
export function oldReceiptKeys(text, name) {
  const list = listOf(json(text));
  if (!Array.isArray(list) || !list.every(isUsable)) refuse(name, PUBLIC);
  if (list.some((jwk) => "d" in jwk)) refuse(name, `${PUBLIC}, without the private part "d"`);
  return list.map(publicPart);
}

/** The public parts of what a file holds: one key, or what `oldReceiptKeys` takes. Undefined if it holds something else. */
export function publicKeysIn(text) {
  const value = json(text);
  const list = listOf(value) ?? [value];
  return Array.isArray(list) && list.every(isUsable) ? list.map(publicPart) : undefined;
}

const listOf = (value) => (Array.isArray(value) ? value : value?.keys);

/**
 * A reader must find one key by its id. The key in use may be among the old ones: so its successor can be announced, and a
 * change of keys has no moment without one of them.
 */
export function refuseSameKeys(key, oldKeys) {
  const isRepeated = (member) => {
    const values = oldKeys.map((jwk) => jwk[member]).filter((value) => value !== undefined);
    return new Set(values).size < values.length;
  };
  if (isRepeated("x") || isRepeated("kid")) refuse("RECEIPT_OLD_KEYS", "keys that differ, each with a kid of its own");
  const isOther = ({ kid, x }) => kid !== undefined && kid === key?.kid && x !== key.x;
  if (oldKeys.some(isOther)) refuse("RECEIPT_OLD_KEYS", "no other key with the kid of RECEIPT_KEY");
}

function isUsable(jwk) {
  const { kid, use = "sig", alg = "EdDSA" } = jwk ?? {};
  const isNamed = kid === undefined || (typeof kid === "string" && KEY_ID.test(kid));
  return isKey(jwk) && isNamed && use === "sig" && ["EdDSA", "Ed25519"].includes(alg);
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a parser's message would quote the text
  }
}

function refuse(name, expected) {
  throw new Error(`Variable ${name}: expected ${expected}`);
}
