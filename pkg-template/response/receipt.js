// Verifies a receipt of the order service, with WebCrypto alone. See receipt.d.ts.
import { decode } from "./base64url.js";
import { hasSigned, isKey, keyId } from "./receipt-key.js";

/** Several times as long as a receipt. What is longer is not read. */
const MOST_CHARACTERS = 8_192;

/** How far the service's clock may be ahead of the reader's. */
const MOST_AHEAD_SECONDS = 60;

/** Says whether a receipt is of these bytes, or the first thing that differs. */
export async function verifyReceipt(receipt, { request, response, keys, at = new Date() }) {
  refuseUnless(isBytes(request), "request", "a Uint8Array");
  refuseUnless(isBytes(response), "response", "a Uint8Array");
  refuseUnless(Array.isArray(keys?.keys), "keys", "a JSON Web Key Set: { keys: [ … ] }");
  refuseUnless(at instanceof Date && !Number.isNaN(at.getTime()), "at", "a valid Date");

  if (!globalThis.crypto?.subtle) return refused("unsupported"); // a page that came over plain HTTP
  const parts = partsOf(receipt);
  if (!parts) return refused("malformed");
  const key = await keyOf(keys.keys, parts.header.kid);
  if (!key) return refused("unknownKey");
  const isSigned = await hasSigned(key, parts.signed, parts.signature).catch(() => undefined);
  if (isSigned === undefined) return refused("unsupported");
  if (!isSigned) return refused("signature");

  const payload = read(parts.payload);
  if (!isPayload(payload)) return refused("malformed");
  if (payload.request !== (await sha256(request))) return refused("request");
  if (payload.response !== (await sha256(response))) return refused("response");
  return isInTime(payload, at.getTime() / 1_000) ? { valid: true, payload } : refused("expired");
}

function refuseUnless(isRight, name, expected) {
  if (!isRight) throw new TypeError(`verifyReceipt: ${name}: expected ${expected}`);
}

const refused = (reason) => ({ valid: false, reason });

/** Also an array of another realm, as Jest has them. */
const isBytes = (value) => Object.prototype.toString.call(value) === "[object Uint8Array]";

/** The parts of a JWS in compact form (RFC 7515). */
function partsOf(receipt) {
  if (typeof receipt !== "string" || receipt.length > MOST_CHARACTERS) return undefined;
  const texts = receipt.split(".");
  if (texts.length !== 3) return undefined;
  const [headerBytes, payload, signature] = texts.map(decode);
  const header = readHeader(headerBytes);
  if (!header || !payload || signature?.length !== SIGNATURE_BYTES) return undefined;
  return { header, payload, signature, signed: receipt.slice(0, receipt.lastIndexOf(".")) };
}

const SIGNATURE_BYTES = 64;

/** The header, if it is as the service writes it: one algorithm, and nothing that asks the reader for more, as `crit` does. */
function readHeader(bytes) {
  const header = read(bytes);
  if (!isObject(header) || Object.keys(header).sort().join() !== "alg,kid,typ") return undefined;
  return header.alg === "EdDSA" && header.typ === TYPE && isText(header.kid) ? header : undefined;
}

/** Tells a receipt from whatever else its key might sign (RFC 8725). */
const TYPE = "order-cost-receipt+jwt";

/** A JSON value; undefined if the bytes hold none. */
function read(bytes) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

async function keyOf(keys, kid) {
  for (const key of keys) if (isKey(key) && (key.use ?? "sig") === "sig" && (await keyId(key)) === kid) return key;
  return undefined;
}

const SHA256 = /^[0-9a-f]{64}$/;

function isPayload(value) {
  if (!isObject(value)) return false;
  const { request, response, module, dataVersion, policy, jti, requestId, iat, exp } = value;
  return (
    [request, response, module].every((digest) => isText(digest) && SHA256.test(digest)) &&
    [jti, requestId].every(isText) &&
    (dataVersion === null || isText(dataVersion)) &&
    isObject(policy) &&
    [iat, exp].every(Number.isInteger)
  );
}

const isText = (value) => typeof value === "string";

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const isInTime = ({ iat, exp }, seconds) => seconds >= iat - MOST_AHEAD_SECONDS && seconds < exp;

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
