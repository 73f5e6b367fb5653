// Receipts: which answers have one, what it says and what it does not, and what stands in the way of the start.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { verifyReceipt } from "order-cost/receipt";
import { DEFAULT_POLICY } from "../../pkg/core/policies.js";
import moduleSha256 from "../../pkg/wasm/sha256.js";
import { EXP, headerOf, IAT, makeKey as makeReceiptKey, payloadOf, sha256, signed } from "../package/receipts.js";
import { until } from "../until.js";
import { entriesOf, makeVersion } from "./catalogue.js";
import { onEachPlatform } from "./platforms.js";
import { startWorkerd } from "./workerd.js";

const ORDER = { ownerId: "malee.planted@example.com", productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 3 }] };
/** Hashes, a random id and times may hold any digits. */
const OF_CHANCE = /"(?:request|response|module|dataVersion|jti|requestId)":"(?:sha256:)?[0-9a-f-]{16,64}",?|"(?:iat|exp)":\d+,?/g;
const VERSION = await makeVersion({ "1001/1000": '{"price":37.25}' });

function makeKey(kid) {
  const { privateKey } = generateKeyPairSync("ed25519");
  const jwk = { ...privateKey.export({ format: "jwk" }), ...(kid && { kid }) };
  const { d, ...publicJwk } = jwk;
  return { jwk, publicJwk, text: JSON.stringify(jwk), thumbprint: thumbprintOf(publicJwk) };
}

/** RFC 7638. */
const thumbprintOf = ({ crv, kty, x }) => Buffer.from(sha256(JSON.stringify({ crv, kty, x })), "hex").toString("base64url");

const [FIRST, SECOND] = [makeKey("shop-1"), makeKey("shop-2")];
const NAMELESS = makeKey();
const MISMATCHED = JSON.stringify({ ...makeKey("shop-3").jwk, x: FIRST.jwk.x });

test("verifyReceipt says the same in workerd", async () => {
  const key = makeReceiptKey("k1");
  const [request, response] = [Buffer.from("{}"), Buffer.from("[]")];
  const keys = { keys: [key.jwk] };
  const receipt = signed(key, headerOf("k1"), payloadOf(request, response));
  const cases = [
    [receipt, "{}", "[]", IAT],
    [receipt, "{ }", "[]", IAT],
    [receipt, "{}", "[ ]", IAT],
    [receipt, "{}", "[]", EXP],
    [`${receipt.slice(0, -86)}${"A".repeat(86)}`, "{}", "[]", IAT],
    ["..", "{}", "[]", IAT],
  ];
  const inWorkerd = await askWorkerd({ keys, cases });
  const here = await Promise.all(
    cases.map(([text, ...of]) =>
      verifyReceipt(text, { request: Buffer.from(of[0]), response: Buffer.from(of[1]), keys, at: new Date(1_000 * of[2]) }),
    ),
  );
  assert.deepEqual(inWorkerd, here);
  assert.deepEqual(
    here.map(({ reason = "valid" }) => reason),
    ["valid", "request", "response", "expired", "signature", "malformed"],
  );
});

/** What a Worker with the package's files says of receipts. */
async function askWorkerd(question) {
  const worker = `import { verifyReceipt } from "./receipt.js";
    const bytes = (text) => new TextEncoder().encode(text);
    const verify = (keys) => ([receipt, request, response, at]) =>
      verifyReceipt(receipt, { request: bytes(request), response: bytes(response), keys, at: new Date(1000 * at) });
    export default {
      async fetch(request) {
        const { keys, cases } = await request.json();
        return Response.json(await Promise.all(cases.map(verify(keys))));
      },
    };`;
  const files = ["receipt.js", "receipt-key.js", "base64url.js"];
  const read = async (name) => ({
    type: "ESModule",
    path: name,
    contents: await readFile(new URL(`../../pkg/response/${name}`, import.meta.url), "utf8"),
  });
  const modules = [{ type: "ESModule", path: "worker.js", contents: worker }, ...(await Promise.all(files.map(read)))];
  const workerd = await startWorkerd([{ name: "reader", modules, compatibilityDate: "2026-04-26" }]);
  try {
    return await (await fetch(await workerd.url("reader"), { method: "POST", body: JSON.stringify(question) })).json();
  } finally {
    await workerd.stop();
  }
}

onEachPlatform((platform) => {
  let service;

  before(async () => {
    const kept = { catalogue: "kept" };
    const copy = (vars) => ({ ...kept, vars: { LOG_SAMPLE: "1", ...vars } });
    const copies = {
      silent: copy({}),
      signing: copy({ RECEIPT_KEY: FIRST.text, ROW_TOTAL: "list" }),
      rotated: copy({ RECEIPT_KEY: SECOND.text, RECEIPT_OLD_KEYS: JSON.stringify({ keys: [FIRST.publicJwk] }) }),
      announced: copy({
        RECEIPT_KEY: NAMELESS.text,
        RECEIPT_OLD_KEYS: JSON.stringify([{ ...NAMELESS.publicJwk, kid: NAMELESS.thumbprint }, SECOND.publicJwk]),
      }),
      nameless: copy({ RECEIPT_KEY: NAMELESS.text, RECEIPT_SECONDS: "60", BASE_PATH: "/shop/api" }),
      retired: copy({ RECEIPT_OLD_KEYS: JSON.stringify([FIRST.publicJwk]) }),
      broken: copy({ RECEIPT_KEY: MISMATCHED }),
      guarded: copy({ RECEIPT_KEY: FIRST.text, API_KEYS: "s3cret", ALLOWED_ORIGINS: "https://shop.example" }),
    };
    service = await platform.start({ copies });
    await service.keep(entriesOf(VERSION));
  });

  after(() => service?.stop());

  async function send(copy, body = JSON.stringify(ORDER), { path = "/calculatecost4", ...init } = {}) {
    const response = await fetch((await service.url(copy)) + path, { method: "POST", body, ...init });
    const { status, headers } = response;
    return {
      status,
      headers,
      receipt: headers.get("x-order-cost-receipt"),
      request: Buffer.from(body),
      response: Buffer.from(await response.arrayBuffer()),
    };
  }

  async function keysOf(copy, path = "/receipt-key") {
    const response = await fetch((await service.url(copy)) + path);
    assert.equal(response.status, 200);
    return response.json();
  }

  async function verified(sent, keys) {
    const { valid, reason, payload } = await verifyReceipt(sent.receipt, { ...sent, keys });
    assert.ok(valid, reason);
    return payload;
  }

  describe("a priced order", () => {
    test("has a receipt of its bytes, and of nothing else", async () => {
      const earliest = Math.floor(Date.now() / 1_000);
      const sent = await send("signing");
      const keys = await keysOf("signing");
      const { jti, iat, exp, requestId, ...rest } = await verified(sent, keys);
      assert.deepEqual(rest, {
        request: sha256(sent.request),
        response: sha256(sent.response),
        module: moduleSha256,
        dataVersion: sent.headers.get("x-order-cost-data"),
        policy: { ...DEFAULT_POLICY, rowTotal: "list" },
      });
      assert.equal(rest.dataVersion, VERSION.id);
      assert.ok(iat >= earliest && iat <= Date.now() / 1_000, `${iat}`);
      assert.equal(exp, iat + 900);
      assert.equal(requestId, sent.headers.get("x-request-id"));
      assert.match(jti, /^[0-9a-f-]{36}$/);

      const response = Buffer.from(`${sent.response}`.replace("111.75", "111.74"));
      assert.deepEqual(await verifyReceipt(sent.receipt, { ...sent, response, keys }), { valid: false, reason: "response" });
      const request = Buffer.from(`${sent.request}`.replace('"quantity":3', '"quantity":2'));
      assert.deepEqual(await verifyReceipt(sent.receipt, { ...sent, request, keys }), { valid: false, reason: "request" });
    });

    test("has one on each route, and in chunks of a byte, and with blanks around it", async () => {
      const keys = await keysOf("signing");
      for (const route of ["calculatecost2", "calculatecost3", "calculatecost4"])
        await verified(await send("signing", ` ${JSON.stringify(ORDER)}\n`, { path: `/${route}` }), keys);
      const bytes = Buffer.from(JSON.stringify(ORDER));
      const body = new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
      const sent = await send("signing", undefined, { body, duplex: "half" });
      await verified({ ...sent, request: bytes }, keys);
    });

    test("never has the jti of another one", async () => {
      const keys = await keysOf("signing");
      const all = await Promise.all(Array.from({ length: 50 }, () => send("signing")));
      const payloads = await Promise.all(all.map((sent) => verified(sent, keys)));
      assert.equal(new Set(payloads.map(({ jti }) => jti)).size, 50);
    });

    test("shows nothing of the order, nor the id that the client chose", async () => {
      const requestId = "malee-0812345678";
      const sent = await send("signing", undefined, { headers: { "x-request-id": requestId } });
      const payload = await verified(sent, await keysOf("signing"));
      assert.equal(payload.requestId, `sha256:${sha256(requestId)}`);
      const [header, claims] = sent.receipt.split(".").map((part) => `${Buffer.from(part, "base64url")}`);
      assert.deepEqual(JSON.parse(header), { alg: "EdDSA", kid: "shop-1", typ: "order-cost-receipt+jwt" });
      const told = claims.replace(OF_CHANCE, "");
      assert.doesNotMatch(told, /"(request|jti|iat)"/);
      assert.doesNotMatch(header + told, /malee|0812|planted|1001|น้ำปลา|37\.25|111\.75/);
    });

    test("has one that a page may read, and for an order with a key", async () => {
      const headers = { authorization: "Bearer s3cret", origin: "https://shop.example" };
      const sent = await send("guarded", undefined, { headers });
      await verified(sent, await keysOf("guarded")); // the keys are for everybody
      assert.match(sent.headers.get("access-control-expose-headers"), /\bx-order-cost-receipt\b/);
    });
  });

  test("no other answer has one", async () => {
    for (const [body, init, status] of [
      ["{", {}, 500],
      [JSON.stringify({ productList: [] }), {}, 500],
      [JSON.stringify({ productList: [{ ...ORDER.productList[0], cprcode: 404 }] }), {}, 500],
      [undefined, { path: "/elsewhere" }, 404],
      [undefined, { method: "PUT" }, 405],
    ]) {
      const sent = await send("signing", body, init);
      assert.deepEqual([sent.status, sent.receipt], [status, null], `${body}`);
    }
    assert.deepEqual(await send("guarded").then(({ status, receipt }) => [status, receipt]), [401, null]);
  });

  test("without RECEIPT_KEY there is no receipt, and the set of keys is empty", async () => {
    const sent = await send("silent");
    assert.deepEqual([sent.status, sent.receipt], [200, null]);
    assert.deepEqual(await keysOf("silent"), { keys: [] });
  });

  describe("keys", () => {
    test("a key of its own id, and one that has its thumbprint for an id; never the private part", async () => {
      const shown = ({ publicJwk: { kty, crv, x } }, kid) => ({ kty, crv, x, kid, alg: "EdDSA", use: "sig" });
      assert.deepEqual(await keysOf("signing"), { keys: [shown(FIRST, "shop-1")] });
      assert.deepEqual(await keysOf("nameless", "/shop/api/receipt-key"), { keys: [shown(NAMELESS, NAMELESS.thumbprint)] });
      assert.deepEqual(await keysOf("rotated"), { keys: [shown(SECOND, "shop-2"), shown(FIRST, "shop-1")] });
    });

    test("the key in use may be among the old ones, where a next one is announced: each is listed once", async () => {
      const { keys } = await keysOf("announced");
      assert.deepEqual(
        keys.map(({ kid }) => kid),
        [NAMELESS.thumbprint, "shop-2"],
      );
    });

    test("after a change of keys, receipts of the old one still verify by what the service lists", async () => {
      const [before, keys] = [await send("signing"), await keysOf("rotated")];
      await verified(before, keys);
      const now = await send("rotated");
      await verified(now, keys);
      assert.deepEqual(await verifyReceipt(now.receipt, { ...now, keys: await keysOf("signing") }), { valid: false, reason: "unknownKey" });
    });

    test("a service that signs no more still lists its old keys", async () => {
      assert.equal((await send("retired")).receipt, null);
      await verified(await send("signing"), await keysOf("retired"));
    });

    test("RECEIPT_SECONDS says how long a receipt holds", async () => {
      const sent = await send("nameless", undefined, { path: "/shop/api/calculatecost4" });
      const keys = await keysOf("nameless", "/shop/api/receipt-key");
      const { iat, exp } = await verified(sent, keys);
      assert.equal(exp - iat, 60);
      assert.deepEqual(await verifyReceipt(sent.receipt, { ...sent, keys, at: new Date(1_000 * exp) }), {
        valid: false,
        reason: "expired",
      });
    });
  });

  test("a failure to sign costs the receipt and a line of the log, not the order", async () => {
    const requestId = `broken-${platform.name}`;
    const sent = await send("broken", undefined, { headers: { "x-request-id": requestId } });
    assert.deepEqual([sent.status, sent.receipt, JSON.parse(sent.response).grandTotal], [200, null, 111.75]);
    const lines = () => service.logs.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    const find = (event) => lines().find((line) => line.event === event && line.requestId === requestId);
    await until("both lines are there", () => find("receipt") && find("order"));
    const { level, message, cause } = find("receipt");
    assert.deepEqual([level, message], ["error", "An order has no receipt"]);
    assert.match(cause, /^Error: RECEIPT_KEY: its "x" does not belong to its "d"/);
    assert.deepEqual([find("order").level, find("order").status], ["info", 200]);
  });

  test("the log shows no key", async () => {
    for (const { jwk } of [FIRST, SECOND, NAMELESS]) assert.ok(!service.logs.some((line) => line.includes(jwk.d)));
    const starts = service.logs.filter((line) => line.includes('"event":"start"')).map((line) => JSON.parse(line).options);
    assert.deepEqual([...new Set(starts.map(({ RECEIPT_KEY }) => RECEIPT_KEY))].sort(), [false, true]);
  });

  test("a wrong key stops the start, and is not shown", async () => {
    const { d, ...rest } = FIRST.jwk;
    const said = await platform.refusal({ RECEIPT_KEY: JSON.stringify(rest) });
    assert.match(said, /Variable RECEIPT_KEY: expected an Ed25519 private key as a JWK/);
    assert.ok(!said.includes(rest.x));
    assert.match(
      await platform.refusal({ RECEIPT_OLD_KEYS: `[${FIRST.text}]` }),
      /Variable RECEIPT_OLD_KEYS: expected .*, without the private part "d"/,
    );
  });
});
