// Receipts of the running service, read by JOSE libraries that know nothing of this package: one in JavaScript, one in Python.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createLocalJWKSet, jwtVerify } from "jose";
import { killAll, startProgram } from "./program.js";
import { ORDER, remove, shopFolder } from "./shop.js";

const READER = fileURLToPath(new URL("read_receipt.py", import.meta.url));
const KEY = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });

let folder;
/** A receipt with its keys, its bytes, and both as they were changed by one digit. */
let sent;

before(async () => {
  folder = await shopFolder();
  const url = await startProgram({ CATALOGUE_DIR: folder, RECEIPT_KEY: JSON.stringify(KEY) }).url;
  const request = JSON.stringify(ORDER);
  const response = await fetch(`${url}/calculatecost4`, { method: "POST", body: request });
  const receipt = response.headers.get("x-order-cost-receipt");
  sent = { receipt, keys: await (await fetch(`${url}/receipt-key`)).json(), request, response: await response.text() };
});

after(async () => {
  await killAll();
  await remove(folder);
});

/** Each gives the payload, or throws what it says of the receipt. */
const LIBRARIES = {
  async jose(receipt, keys) {
    const { payload } = await jwtVerify(receipt, createLocalJWKSet(keys), { algorithms: ["EdDSA"], typ: "order-cost-receipt+jwt" });
    return payload;
  },
  async PyJWT(receipt, keys) {
    const { status, stdout, stderr } = spawnSync(process.env.PYTHON_WITH_JOSE, [READER], { input: JSON.stringify({ receipt, keys }), encoding: "utf8" });
    if (status !== 0) throw new Error(stderr.trim().split("\n").at(-1));
    return JSON.parse(stdout);
  },
};

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** The text with one digit of its payload changed. */
function changed(receipt) {
  const [header, payload, signature] = receipt.split(".");
  const text = `${Buffer.from(payload, "base64url")}`;
  const other = text.replace(/"exp":(\d+)/, (_, exp) => `"exp":${Number(exp) + 1}`);
  assert.notEqual(other, text);
  return [header, Buffer.from(other).toString("base64url"), signature].join(".");
}

for (const [name, verify] of Object.entries(LIBRARIES)) {
  describe(name, () => {
    test("verifies a receipt, whose digests are those of the bytes", async () => {
      const { request, response, policy, iat, exp } = await verify(sent.receipt, sent.keys);
      assert.deepEqual([request, response], [sha256(sent.request), sha256(sent.response)]);
      assert.notEqual(response, sha256(sent.response.replace("20", "21")));
      assert.equal(policy.rowTotal, "effective");
      assert.equal(exp - iat, 900);
    });

    test("refuses one in which a digit has changed", async () => {
      await assert.rejects(verify(changed(sent.receipt), sent.keys), /signature verification failed/i);
    });

    test("refuses the signature of another key of the same id", async () => {
      const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
      await assert.rejects(verify(sent.receipt, { keys: [{ ...sent.keys.keys[0], x }] }), /signature verification failed/i);
    });
  });
}
