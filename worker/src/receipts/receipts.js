// Receipts: an answer states, signed, which request it is of and what it was priced from. SECURITY.md says what that proves.
import { all, caught, decode, encodeText, hasSigned, isPromise, keyId, moduleSha256, msSince, soon } from "order-cost/internal";
import { errorText, log } from "../log/index.js";

/**
 * What the platform does fastest. Each function may return a promise.
 *
 * @typedef {object} Signing
 * @property {(bytes: Uint8Array<ArrayBuffer>) => string | Promise<string>} sha256 in hexadecimal
 * @property {(jwk: JsonWebKey) => Signer | Promise<Signer>} signer
 *
 * @typedef {(text: string) => string | Promise<string>} Signer gives the signature in base64url
 */

const MS = 1_000;

/** How long a key that does not work is left alone. */
const RETRY_MS = 60_000;

/**
 * @param {Signing} signing
 * @param {{ key?: PrivateKey, oldKeys: PublicKey[], seconds: number }} options without a key nothing is signed
 * @param {object} policy
 *
 * @typedef {import("./keys.js").PublicKey} PublicKey
 * @typedef {import("./keys.js").PrivateKey} PrivateKey
 */
export function createReceipts({ sha256, signer }, { key, oldKeys, seconds }, policy) {
  /** The imported key and what all its receipts begin with. No promise: orders must share none. */
  let pen;
  /** When it did not work: an attempt, and a line of the log, for each order would help nobody. */
  let brokenAt = -Infinity;
  const common = `"module":"${moduleSha256}","policy":${JSON.stringify(policy)}`;

  async function takePen() {
    const { kid, ...jwk } = /** @type {PrivateKey} */ (key); // `begin` needs one, too
    const sign = await signer(jwk);
    if (!(await hasSigned(jwk, "", decode(await sign(""))))) throw new Error('RECEIPT_KEY: its "x" does not belong to its "d"');
    const header = { alg: "EdDSA", kid: await keyId({ kid, ...jwk }), typ: "order-cost-receipt+jwt" };
    pen = { header: encodeText(JSON.stringify(header)), sign };
    return pen;
  }

  async function triedPen() {
    try {
      return await takePen();
    } catch (error) {
      brokenAt = Date.now();
      throw error;
    }
  }

  function sign(payload) {
    return soon(pen ?? triedPen(), ({ header, sign }) => {
      const signed = `${header}.${encodeText(payload)}`;
      return soon(sign(signed), (signature) => `${signed}.${signature}`);
    });
  }

  const isUsed = () => key && msSince(brokenAt) >= RETRY_MS;

  /** The client chose it: it may hold what is nobody's business. Undefined: the service made it. */
  function digestOfId({ context: { request }, requestId }) {
    return request.headers.get("x-request-id") === requestId ? sha256(new TextEncoder().encode(requestId)) : undefined;
  }

  function payloadOf({ context: order, requestId }, request, response, idDigest) {
    const iat = Math.floor(Date.now() / MS);
    const dataVersion = JSON.stringify(order.version?.id ?? null);
    const id = idDigest ? `sha256:${idDigest}` : requestId;
    return (
      `{"request":"${request}","response":"${response}",${common},"dataVersion":${dataVersion},` +
      `"jti":"${crypto.randomUUID()}","requestId":"${id}","iat":${iat},"exp":${iat + seconds}}`
    );
  }

  return {
    /**
     * Begins the receipt of an order when its body has arrived: the hash of it is there when the answer is.
     * @param {Uint8Array<ArrayBuffer>} body
     * @param {{ context: import("../orders/order.js").Order, requestId: string }} call
     * @returns {((answer: Uint8Array<ArrayBuffer>) => string | undefined | Promise<string | undefined>) | undefined} never fails:
     *   a receipt that does costs no order
     */
    begin(body, call) {
      if (!isUsed()) return undefined;
      const early = all([sha256(body), digestOfId(call)]);
      if (isPromise(early)) early.catch(() => {}); // an order that fails asks for no receipt
      const seal = (answer) =>
        soon(all([sha256(answer), early]), ([response, [request, id]]) => sign(payloadOf(call, request, response, id)));
      const noReceipt = (error) => {
        log("error", "receipt", { requestId: call.requestId, message: "An order has no receipt", cause: errorText(error) });
        return undefined;
      };
      return (answer) => caught(() => seal(answer), noReceipt);
    },

    /** The public keys (RFC 7517), each once, the one in use first. */
    async keys() {
      const all = await Promise.all([...(key ? [key] : []), ...oldKeys].map(publicKey));
      return { keys: all.filter(({ kid }, index) => all.findIndex((other) => other.kid === kid) === index) };
    },
  };
}

/** @param {PublicKey & { d?: string }} key */
const publicKey = async ({ d, ...jwk }) => ({ ...jwk, kid: await keyId(jwk), alg: "EdDSA", use: "sig" });
