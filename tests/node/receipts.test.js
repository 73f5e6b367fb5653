// Receipts of the running service, read as the guide says by JOSE libraries that know nothing of this package: in JavaScript, and in Python.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { blocksOf } from "../package/snippets.js";
import { killAll, startProgram } from "./program.js";
import { ORDER, remove, shopFolder } from "./shop.js";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const GUIDE = fileURLToPath(new URL("../../worker/DECISIONS-LOG.md", import.meta.url));
const KEY = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });

const codeOf = (language) => blocksOf(GUIDE).find((block) => block.heading === "Prove it" && block.language === language).code;

/** The readers of the guide, as they stand. They read the four files of the folder that they run in. */
const READERS = {
  jose: [process.execPath, ["--input-type=module"], codeOf("js")],
  PyJWT: [process.env.PYTHON_WITH_JOSE, ["-"], codeOf("python")],
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
async function read(reader, changes) {
  const [program, args, input] = READERS[reader];
  const [, cwd] = folders;
  for (const [name, text] of Object.entries({ ...sent, ...changes })) await writeFile(join(cwd, name), text);
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, input, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** The text with one digit of its payload changed. */
function changed(receipt) {
  const [header, payload, signature] = receipt.split(".");
  const text = `${Buffer.from(payload, "base64url")}`;
  const other = text.replace(/"exp":(\d+)/, (_, exp) => `"exp":${Number(exp) + 1}`);
  assert.notEqual(other, text);
  return [header, Buffer.from(other).toString("base64url"), signature].join(".");
}

for (const reader of Object.keys(READERS)) {
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
  });
}
