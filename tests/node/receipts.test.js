// Receipts of the running service, verified by the command of the guide and by its examples, which use JOSE libraries that know
// nothing of this package: in JavaScript, and in Python. And the guide's way to another key.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, describe, mock, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { signed } from "../package/receipts.js";
import { blocksOf } from "../package/snippets.js";
import { listen } from "../ports.js";
import { killAll, startProgram } from "./program.js";
import { folderToRemove, ORDER, price, remove, shopFolder } from "./shop.js";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GUIDE = join(ROOT, "www/docs/service/receipts.md");
const CLI = join(ROOT, "pkg/cli.js");
const ENV = { ...process.env, NO_PROXY: "127.0.0.1" };
const KEY = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });

const guide = readFileSync(GUIDE, "utf8");
const blocks = blocksOf(GUIDE);
const codeUnder = (heading) => blocks.find((block) => block.heading === heading).code;

/** The example's code, which the guide leads to. */
function exampleOf(name) {
  assert.ok(guide.includes(`(../../../worker/examples/${name})`), name);
  return readFileSync(join(ROOT, "worker/examples", name), "utf8");
}

/** What an example puts in place of the present for an old receipt, by its own comment. */
const THEN = "2026-11-26T00:35:00";
const commentIn = (name) => exampleOf(name).match(/^(?:\/\/|#) The time of the order, for an old receipt: (.+)$/m)[1];

/** What runs one code after another in one process of Python: a line of JSON in, a line out. */
const PYTHON = `
import contextlib, io, json, sys, traceback
for line in sys.stdin:
    said, error = io.StringIO(), None
    try:
        with contextlib.redirect_stdout(said):
            exec(json.loads(line), {})
    except BaseException:
        error = traceback.format_exc()
    print(json.dumps({"status": 0 if error is None else 1, "stdout": said.getvalue(), "stderr": error}), flush=True)
`;

/** The examples, as they stand. They read the files of the folder that they run in, and the keys from the shop. */
const READERS = {
  jose: {
    command: [process.execPath, ["--input-type=module"]],
    run: inNode,
    code: exampleOf("verify-receipt.mjs"),
    now: "new Date()",
    then: commentIn("verify-receipt.mjs"),
  },
  PyJWT: {
    command: [process.env.PYTHON_WITH_PACKAGES, ["-"]],
    run: inPython,
    code: exampleOf("verify-receipt.py"),
    now: "datetime.now(timezone.utc)",
    then: commentIn("verify-receipt.py"),
  },
};

let folders;
let sent;
let python;

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
  process.chdir(folders[1]);
  python = spawn(process.env.PYTHON_WITH_PACKAGES, ["-c", PYTHON], { env: ENV, stdio: ["pipe", "pipe", "inherit"] });
  python.answers = createInterface(python.stdout)[Symbol.asyncIterator]();
});

after(async () => {
  python?.stdin.end();
  await killAll();
  await Promise.all(folders.map(remove));
});

/** Runs a reader on the files that were sent, some of them changed. */
async function read(reader, { code = READERS[reader].code, run = READERS[reader].run, ...changes }) {
  const [, cwd] = folders;
  const { "keys.json": keys, ...files } = { ...sent, ...changes };
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
  const shop = await serveKeys(keys);
  try {
    return await run(code.replace("https://shop.example", shop.url), reader);
  } finally {
    shop.server.close();
  }
}

async function asProcess(code, reader) {
  const [program, args] = READERS[reader].command;
  const child = spawn(program, args, { env: ENV });
  child.stdin.end(code);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status, stdout, stderr };
}

async function inNode(code) {
  const file = join(await mkdtemp(join(folders[1], "run-")), "code.mjs");
  await writeFile(file, code);
  const log = mock.method(console, "log", () => {});
  try {
    await import(pathToFileURL(file));
    return { status: 0, stdout: log.mock.calls[0].arguments[0], stderr: "" };
  } catch (error) {
    return { status: 1, stdout: "", stderr: `${error}` };
  } finally {
    log.mock.restore();
  }
}

async function inPython(code) {
  python.stdin.write(`${JSON.stringify(code)}\n`);
  return JSON.parse((await python.answers.next()).value);
}

async function serveKeys(keys) {
  const server = http.createServer(({ url }, response) => response.writeHead(url === "/receipt-key" ? 200 : 404).end(keys));
  return { server, url: await listen(server) };
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
      const { status, stdout, stderr } = await read(reader, { run: asProcess });
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^answered at \d+, once: [\da-f-]{36}\s*$/);
    });

    test("refuses one in which a digit has changed", async () => {
      await assertRefused({ "receipt.txt": changed(sent["receipt.txt"]), run: asProcess }, /signature verification failed/i);
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
      await assertRefused(
        { "keys.json": JSON.stringify({ keys: [{ ...key, x, kid: "k2" }] }) },
        /no applicable key|Unable to find a signing key/,
      );
    });
  });
}

describe("the guide", () => {
  const run = (script, { cwd, home = cwd }) => promisify(execFile)("bash", ["-ec", script], { cwd, env: { ...ENV, HOME: home } });

  test("its command verifies a receipt, also an old one", async () => {
    const [, cwd] = folders;
    for (const [name, content] of Object.entries(sent)) await writeFile(join(cwd, name), content);
    const command = codeUnder("Verify one").replace("npx order-cost", `"${process.execPath}" "${CLI}"`);
    assert.match((await run(command, { cwd })).stdout, /^valid: /);
    const [, at] = guide.match(/`(--at \S+)`/);
    await writeFile(join(cwd, "receipt.txt"), from(0, Date.parse(`${THEN}Z`))["receipt.txt"]);
    await assert.rejects(run(command, { cwd }), ({ code }) => code === 1);
    assert.match((await run(command.replace(" - <", ` ${at} - <`), { cwd })).stdout, /^valid: /);
  });

  test("its way to another key: both are listed before the new one signs", async (context) => {
    const [shop] = folders;
    const home = await folderToRemove();
    context.after(() => remove(home));
    const keys = await serveKeys(sent["keys.json"]);
    context.after(() => keys.server.close());
    const script = codeUnder("Change the key").replace("https://shop.example", keys.url);
    await run(script, { cwd: join(ROOT, "worker"), home });
    assert.equal((await stat(join(home, "receipt-keys"))).mode & 0o777, 0o700);
    const fileOf = async (name) => (await readFile(join(home, "receipt-keys", name), "utf8")).trim();
    const [next, old] = [await fileOf("new.json"), await fileOf("old.json")];

    const variables = { CATALOGUE_DIR: shop, RECEIPT_OLD_KEYS: old };
    const kidsOf = async (url) => (await (await fetch(`${url}/receipt-key`)).json()).keys.map(({ x }) => x);
    const before = await startProgram({ ...variables, RECEIPT_KEY: JSON.stringify(KEY) }).url;
    const after = await startProgram({ ...variables, RECEIPT_KEY: next }).url;
    assert.deepEqual(await kidsOf(before), [KEY.x, JSON.parse(next).x]);
    assert.deepEqual(await kidsOf(after), [JSON.parse(next).x, KEY.x]);
    assert.match((await price(after)).headers.get("x-order-cost-receipt"), /^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test("no command is left out", () => {
    // The first one is checked in tests/worker/page-commands.test.js: it needs an account.
    const tried = ["Switch it on", "Verify one", "Change the key"];
    assert.deepEqual(
      blocks.map(({ heading }) => heading),
      tried,
    );
  });
});
