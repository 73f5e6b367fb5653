// verifyReceipt: what it takes, and for which reason it refuses the rest.
import assert from "node:assert/strict";
import { createHmac, createPrivateKey } from "node:crypto";
import { describe, test } from "node:test";
import { verifyReceipt } from "order-cost/receipt";
import fc, { cases } from "../property.js";
import { base64url, EXP, headerOf, IAT, makeKey, payloadOf, signed } from "./receipts.js";

const bytesOf = (text) => new TextEncoder().encode(text);
const REQUEST = bytesOf('{"productList":[{"cprcode":1001,"quantity":3}]}');
const RESPONSE = bytesOf('{"grandTotal":111.75}');
const KEY = makeKey("k1");
const PAYLOAD = payloadOf(REQUEST, RESPONSE);
const HEADER = headerOf("k1");
const RECEIPT = signed(KEY, HEADER, PAYLOAD);
const at = (seconds) => new Date(1_000 * seconds);
const OF = { request: REQUEST, response: RESPONSE, keys: { keys: [KEY.jwk] }, at: at(IAT) };

/** Why a receipt is refused; "valid" if it is not. */
async function verdict(receipt, of) {
  const { valid, reason } = await verifyReceipt(receipt, { ...OF, ...of });
  return valid ? "valid" : reason;
}

test("a receipt of these bytes is valid, and its payload is given", async () => {
  assert.deepEqual(await verifyReceipt(RECEIPT, OF), { valid: true, payload: PAYLOAD });
  const withoutVersion = { ...PAYLOAD, dataVersion: null };
  assert.deepEqual(await verifyReceipt(signed(KEY, HEADER, withoutVersion), OF), { valid: true, payload: withoutVersion });
});

test("one digit of the request or of the response is enough to refuse it", async () => {
  assert.equal(await verdict(RECEIPT, { request: bytesOf('{"productList":[{"cprcode":1001,"quantity":4}]}') }), "request");
  assert.equal(await verdict(RECEIPT, { response: bytesOf('{"grandTotal":111.74}') }), "response");
  assert.equal(await verdict(RECEIPT, { response: bytesOf('{"grandTotal": 111.75}') }), "response");
  assert.equal(await verdict(RECEIPT, { request: RESPONSE, response: REQUEST }), "request");
});

test("one digit of any part of the payload is enough, too: the signature covers it", async () => {
  const [header, , signature] = RECEIPT.split(".");
  for (const [name, value] of Object.entries({
    request: PAYLOAD.request.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
    response: PAYLOAD.response.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
    module: `1${PAYLOAD.module.slice(1)}`,
    dataVersion: "0123456789abcdee",
    policy: { ...PAYLOAD.policy, rowTotal: "effective" },
    jti: PAYLOAD.jti.replace("3", "4"),
    requestId: PAYLOAD.requestId.replace("4", "5"),
    iat: IAT + 1,
    exp: EXP + 1,
  })) {
    const changed = base64url(JSON.stringify({ ...PAYLOAD, [name]: value }));
    assert.equal(await verdict(`${header}.${changed}.${signature}`), "signature", name);
  }
});

describe("keys", () => {
  const other = makeKey("k2");

  test("a key that the set does not have is unknown", async () => {
    assert.equal(await verdict(RECEIPT, { keys: { keys: [] } }), "unknownKey");
    assert.equal(await verdict(RECEIPT, { keys: { keys: [other.jwk] } }), "unknownKey");
  });

  test("after a change of keys, receipts of both are valid", async () => {
    const keys = { keys: [other.jwk, KEY.jwk] };
    assert.equal(await verdict(RECEIPT, { keys }), "valid");
    assert.equal(await verdict(signed(other, headerOf("k2"), PAYLOAD), { keys }), "valid");
    assert.equal(await verdict(signed(other, HEADER, PAYLOAD), { keys }), "signature");
  });

  test("a key without an id has its thumbprint: the example of RFC 8037", async () => {
    const [d, x] = ["nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"];
    const jwk = { kty: "OKP", crv: "Ed25519", x };
    const privateKey = createPrivateKey({ key: { ...jwk, d }, format: "jwk" });
    const receipt = signed({ privateKey }, headerOf("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"), PAYLOAD);
    assert.equal(await verdict(receipt, { keys: { keys: [jwk] } }), "valid");
  });

  test("keys of other kinds and broken ones are passed over", async () => {
    const { x } = KEY.jwk;
    const broken = [
      null,
      1,
      {},
      { ...KEY.jwk, kty: "RSA" },
      { ...KEY.jwk, crv: "X25519" },
      { ...KEY.jwk, x: x.slice(1) },
      { ...KEY.jwk, x: `${x}=` },
    ];
    assert.equal(await verdict(RECEIPT, { keys: { keys: broken } }), "unknownKey");
    assert.equal(await verdict(RECEIPT, { keys: { keys: [...broken, KEY.jwk] } }), "valid");
  });

  test("whatever a runtime writes into alg and key_ops, the key serves", async () => {
    for (const alg of ["EdDSA", "Ed25519"]) {
      assert.equal(await verdict(RECEIPT, { keys: { keys: [{ ...KEY.jwk, alg, use: "sig", key_ops: ["sign"], ext: false }] } }), "valid");
    }
  });
});

describe("time", () => {
  test("it is valid until the second before exp", async () => {
    assert.equal(await verdict(RECEIPT, { at: new Date(1_000 * EXP - 1) }), "valid");
    assert.equal(await verdict(RECEIPT, { at: at(EXP) }), "expired");
    assert.equal(await verdict(RECEIPT, { at: at(EXP + 1e6) }), "expired");
  });

  test("without `at` it is checked as of now", async () => {
    const now = Math.floor(Date.now() / 1_000);
    assert.equal(await verdict(signed(KEY, HEADER, { ...PAYLOAD, iat: now, exp: now + 60 }), { at: undefined }), "valid");
    assert.equal(await verdict(signed(KEY, HEADER, { ...PAYLOAD, iat: now - 60, exp: now }), { at: undefined }), "expired");
  });

  test("the service's clock may be 60 seconds ahead", async () => {
    assert.equal(await verdict(RECEIPT, { at: at(IAT - 60) }), "valid");
    assert.equal(await verdict(RECEIPT, { at: at(IAT - 61) }), "expired");
  });

  test("other bytes come before the time, and the signature before both", async () => {
    assert.equal(await verdict(RECEIPT, { at: at(EXP), response: REQUEST }), "response");
    assert.equal(await verdict(`${RECEIPT.slice(0, -86)}${"A".repeat(86)}`, { at: at(EXP), response: REQUEST }), "signature");
  });
});

describe("malformed", () => {
  const [header, payload, signature] = RECEIPT.split(".");
  const hmac = (text) => createHmac("sha256", Buffer.from(KEY.jwk.x, "base64url")).update(text).digest("base64url");
  const hs256 = `${base64url('{"alg":"HS256","kid":"k1","typ":"order-cost-receipt+jwt"}')}.${payload}`;

  for (const [name, receipt] of Object.entries({
    "no receipt at all": null,
    "an empty text": "",
    "dots alone": "..",
    "two parts": `${header}.${payload}`,
    "a part too many": `${RECEIPT}.${signature}`,
    "a dot at the end": `${RECEIPT}.`,
    "no header": `.${payload}.${signature}`,
    "no signature": `${header}.${payload}.`,
    "a signature of 63 bytes": `${header}.${payload}.${base64url(Buffer.alloc(63))}`,
    "a signature of 65 bytes": `${header}.${payload}.${base64url(Buffer.alloc(65))}`,
    padding: `${RECEIPT}==`,
    "base64 with + and /": signed(KEY, HEADER, { ...PAYLOAD, jti: "?>~?>~" })
      .replace("_", "/")
      .replace("-", "+"),
    "bits beyond the last byte": RECEIPT.replace(/.$/, (last) => ({ A: "B", Q: "R", g: "h", w: "x" })[last]),
    "a space": `${RECEIPT} `,
    "a line break": RECEIPT.replace(".", ".\n"),
    "letters that are no ASCII": `${header}.${payload}.ก${signature.slice(1)}`,
    "alg none": `${base64url('{"alg":"none","kid":"k1","typ":"order-cost-receipt+jwt"}')}.${payload}.`,
    "alg none, with its signature": `${base64url('{"alg":"none","kid":"k1","typ":"order-cost-receipt+jwt"}')}.${payload}.${signature}`,
    "alg HS256 with the public key as its secret": `${hs256}.${hmac(hs256)}`,
    "a header that is critical": signed(KEY, { ...HEADER, crit: ["exp"], exp: 1 }, PAYLOAD),
    "a header with a key of its own": signed(KEY, { ...HEADER, jwk: KEY.jwk }, PAYLOAD),
    "another typ": signed(KEY, { ...HEADER, typ: "JWT" }, PAYLOAD),
    "no typ": signed(KEY, { alg: "EdDSA", kid: "k1" }, PAYLOAD),
    "no kid": signed(KEY, { alg: "EdDSA", typ: HEADER.typ }, PAYLOAD),
    "a kid that is no text": signed(KEY, { ...HEADER, kid: ["k1"] }, PAYLOAD),
    "a header that is null": signed(KEY, "null", PAYLOAD),
    "a header that is a list": signed(KEY, "[]", PAYLOAD),
    "a header that is no JSON": signed(KEY, "{", PAYLOAD),
    "a payload that is no JSON": signed(KEY, HEADER, "{"),
    "a payload that is null": signed(KEY, HEADER, "null"),
    "a payload that is nested deep": signed(KEY, HEADER, "[".repeat(3_000)),
    "no request": signed(KEY, HEADER, { ...PAYLOAD, request: undefined }),
    "a digest in capitals": signed(KEY, HEADER, { ...PAYLOAD, request: PAYLOAD.request.toUpperCase() }),
    "a digest in a list": signed(KEY, HEADER, { ...PAYLOAD, request: [PAYLOAD.request] }),
    "a policy that is a text": signed(KEY, HEADER, { ...PAYLOAD, policy: "asStated" }),
    "a version that is a number": signed(KEY, HEADER, { ...PAYLOAD, dataVersion: 1 }),
    "no dataVersion": signed(KEY, HEADER, { ...PAYLOAD, dataVersion: undefined }),
    "no jti": signed(KEY, HEADER, { ...PAYLOAD, jti: undefined }),
    "an exp that is a text": signed(KEY, HEADER, { ...PAYLOAD, exp: `${EXP}` }),
    "an exp that is a fraction": signed(KEY, HEADER, { ...PAYLOAD, exp: EXP + 0.5 }),
    "an exp beyond all numbers": signed(KEY, HEADER, JSON.stringify(PAYLOAD).replace(`${EXP}`, "1e999")),
    "no exp": signed(KEY, HEADER, { ...PAYLOAD, exp: undefined }),
    "ten million characters": `${header}.${"A".repeat(1e7)}.${signature}`,
    "ten million dots": ".".repeat(1e7),
  })) {
    test(name, async () => assert.equal(await verdict(receipt), "malformed"));
  }
});

test("a detached payload is not looked for: nothing is signed", async () => {
  const [header, , signature] = RECEIPT.split(".");
  assert.equal(await verdict(`${header}..${signature}`), "signature");
});

test("a changed receipt is never valid, and never throws", async () => {
  const place = fc.nat(RECEIPT.length - 1);
  const character = fc.oneof(fc.constantFrom(..."ABab01-_.=+/ \n"), fc.string({ unit: "binary", minLength: 1, maxLength: 1 }));
  const change = fc.oneof(
    fc.tuple(place, character).map(([at, text]) => RECEIPT.slice(0, at) + text + RECEIPT.slice(at + 1)),
    fc.tuple(place, character).map(([at, text]) => RECEIPT.slice(0, at) + text + RECEIPT.slice(at)),
    fc.tuple(place, place).map(([from, to]) => RECEIPT.slice(0, from) + RECEIPT.slice(to)),
    fc.tuple(place, place).map(([one, two]) => RECEIPT.slice(one) + RECEIPT.slice(0, two)),
    fc.string(),
  );
  const isRefused = fc.asyncProperty(change, async (receipt) => {
    fc.pre(receipt !== RECEIPT);
    assert.equal((await verifyReceipt(receipt, OF)).valid, false);
  });
  await fc.assert(isRefused, { numRuns: cases(1_000) });
});

test("a runtime without Ed25519, or without WebCrypto, says that it cannot tell", async (context) => {
  for (const method of ["importKey", "verify"]) {
    const mock = context.mock.method(globalThis.crypto.subtle, method, async () => {
      throw new DOMException("Unrecognized algorithm name", "NotSupportedError");
    });
    assert.equal(await verdict(RECEIPT), "unsupported", method);
    mock.mock.restore();
  }
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true, writable: true });
  try {
    assert.equal(await verdict(RECEIPT), "unsupported");
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true, writable: true });
  }
});

test("arguments of a wrong type are the caller's fault, and said", async () => {
  for (const [name, value, expected] of [
    ["request", "{}", "a Uint8Array"],
    ["response", undefined, "a Uint8Array"],
    ["keys", [KEY.jwk], "a JSON Web Key Set: { keys: [ … ] }"],
    ["at", IAT, "a valid Date"],
    ["at", new Date(NaN), "a valid Date"],
  ]) {
    const message = `verifyReceipt: ${name}: expected ${expected}`;
    await assert.rejects(verifyReceipt(RECEIPT, { ...OF, [name]: value }), { name: "TypeError", message });
  }
});
