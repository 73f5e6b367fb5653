// Receipts of the running service, read as the guide says by JOSE libraries that know nothing of this package: in JavaScript, and in Python.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { signed } from "../package/receipts.js";
import { blocksOf } from "../package/snippets.js";
import { killAll, startProgram } from "./program.js";
import { ORDER, remove, shopFolder } from "./shop.js";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const GUIDE = fileURLToPath(new URL("../../worker/DECISIONS-LOG.md", import.meta.url));
const KEY = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });

const codeOf = (language) => blocksOf(GUIDE).find((block) => block.heading === "Prove it" && block.language === language).code;

/** What the guide puts in place of the present for an old receipt. */
const THEN = "2026-11-26T00:35:00";
const inGuide = (pattern) => readFileSync(GUIDE, "utf8").match(pattern)?.[1];

/** The readers of the guide, as they stand. They read the files of the folder that they run in, and the keys from the shop. */
const READERS = {
  jose: {
    command: [process.execPath, ["--input-type=module"]],
    code: codeOf("js"),
    now: "new Date()",
    then: inGuide(/`(new Date\("2026-11-26T00:35:00Z"\))`/),
  },
  PyJWT: {
    command: [process.env.PYTHON_WITH_PACKAGES, ["-"]],
    code: codeOf("python"),
    now: "datetime.now(timezone.utc)",
    then: inGuide(/`(datetime\.fromisoformat\("2026-11-26T00:35:00\+00:00"\))`/),
  },
};

let folders;
let sent;

before(async () => {
  const shop = await shopFolder();
  const url = await startProgram({ CATALOGUE_DIR: shop, RECEIPT_KEY: JSON.stringify(KEY) }).url;
  const request = JSON.stringify(ORDER);
  const response = await fetch(`${url}/calculatecost4`, { method: "POST", body: request });
  sent = {
    "receipt.txt": `${response.headers.get("x-order-cost-receipt")}\n`,
    "keys.json": await (await fetch(`${url}/receipt-key`)).text(),
    "order.json": request,
    "priced.json": await response.text(),
  };
  // Node finds the library from here.
  folders = [shop, await mkdtemp(join(TESTS, "node_modules", ".receipts-"))];
});

after(async () => {
  await killAll();
  await Promise.all(folders.map(remove));
});

/** Runs a reader on the files that were sent, some of them changed. */
async function read(reader, { code = READERS[reader].code, ...changes }) {
  const [program, args] = READERS[reader].command;
  const [, cwd] = folders;
  const { "keys.json": keys, ...files } = { ...sent, ...changes };
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
  const shop = await serveKeys(keys);
  try {
    const child = spawn(program, args, { cwd, env: { ...process.env, NO_PROXY: "127.0.0.1" } });
    child.stdin.end(code.replace("https://shop.example", shop.url));
    const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { status, stdout, stderr };
  } finally {
    shop.server.close();
  }
}

async function serveKeys(keys) {
  const server = http.createServer(({ url }, response) => response.writeHead(url === "/receipt-key" ? 200 : 404).end(keys));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

/** The text with one digit of its payload changed. */
function changed(receipt) {
  const [header, payload, signature] = receipt.split(".");
  const text = `${Buffer.from(payload, "base64url")}`;
  const other = text.replace(/"exp":(\d+)/, (_, exp) => `"exp":${Number(exp) + 1}`);
  assert.notEqual(other, text);
  return [header, Buffer.from(other).toString("base64url"), signature].join(".");
}

/** The receipt, signed by the same key with another header or payload. */
function signedAnew({ header = {}, ...payload }) {
  const [first, second] = sent["receipt.txt"].split(".").map((part) => Buffer.from(part, "base64url"));
  const key = { privateKey: createPrivateKey({ key: KEY, format: "jwk" }) };
  return signed(key, { ...JSON.parse(first), ...header }, { ...JSON.parse(second), ...payload });
}

/** It holds for 900 s and begins `seconds` after now by the reader's clock. */
function from(seconds, now = Date.now()) {
  const iat = Math.floor(now / 1_000) + seconds;
  return { "receipt.txt": signedAnew({ iat, exp: iat + 900 }) };
}

for (const [reader, { code, now, then }] of Object.entries(READERS)) {
  describe(reader, () => {
    const assertRefused = async (changes, why) => {
      const { status, stderr } = await read(reader, changes);
      assert.equal(status, 1);
      assert.match(stderr, why);
    };

    test("verifies a receipt of its request and its response", async () => {
      const { status, stdout, stderr } = await read(reader, {});
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^answered at \d+, once: [\da-f-]{36}\s*$/);
    });

    test("refuses one in which a digit has changed", async () => {
      await assertRefused({ "receipt.txt": changed(sent["receipt.txt"]) }, /signature verification failed/i);
    });

    test("refuses an answer, or an order, in which a digit has changed", async () => {
      assert.match(sent["priced.json"], /"grandTotal":20\b/);
      await assertRefused({ "priced.json": sent["priced.json"].replace("20", "21") }, /The receipt is of another response/);
      await assertRefused({ "order.json": sent["order.json"].replace("1001", "1002") }, /The receipt is of another request/);
    });

    test("refuses the signature of another key of the same id", async () => {
      const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
      const [key] = JSON.parse(sent["keys.json"]).keys;
      await assertRefused({ "keys.json": JSON.stringify({ keys: [{ ...key, x }] }) }, /signature verification failed/i);
    });

    test("its clock may be 60 seconds behind the service's, no more", async () => {
      for (const seconds of [5, 50]) assert.equal((await read(reader, from(seconds))).status, 0, `${seconds} s`);
      await assertRefused(from(90), /not valid at/);
    });

    test("refuses a receipt from its `exp` on: the 60 seconds do not lengthen it", async () => {
      assert.equal((await read(reader, from(-850))).status, 0);
      await assertRefused(from(-905), /not valid at|"exp" claim/);
    });

    test("verifies an old receipt as of then", async () => {
      const old = from(0, Date.parse(`${THEN}Z`));
      await assertRefused(old, /not valid at|"exp" claim/);
      assert.equal(code.split(now).length, 2);
      const asOfThen = { code: code.replace(now, then) };
      const { status, stdout, stderr } = await read(reader, { ...old, ...asOfThen });
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^answered at 1795653300, /);
      await assertRefused({ ...from(0), ...asOfThen }, /not valid at/);
    });

    test("refuses what the key has signed for another purpose, and a receipt without a `jti`", async () => {
      await assertRefused({ "receipt.txt": signedAnew({ header: { typ: "JWT" } }) }, /no receipt|"typ"/);
      await assertRefused({ "receipt.txt": signedAnew({ jti: undefined }) }, /jti/);
    });

    test("refuses a receipt of a key that the service does not list", async () => {
      const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
      const [key] = JSON.parse(sent["keys.json"]).keys;
      await assertRefused({ "keys.json": JSON.stringify({ keys: [{ ...key, x, kid: "k2" }] }) }, /no applicable key|Unable to find a signing key/);
    });
  });
}
