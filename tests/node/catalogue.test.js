// A catalogue from a folder, as the commands write and switch it, and as a disk damages it. Catalogues at URLs that fail or
// hang: ../worker/faults.test.js and ../worker/versions.test.js.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import process from "node:process";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { main } from "../../worker/data/program.js";
import { run } from "../data/run.js";
import { sendBomb } from "../huge.js";
import { listen } from "../ports.js";
import { until } from "../until.js";
import { killAll, startProgram } from "./program.js";
import { folderToRemove, price, remove, shopFolder, TOTAL } from "./shop.js";

/** Each order looks at `current` and reads what it needs. */
const EAGER = { DATA_MAX_AGE_SECONDS: "0", CACHE_BYTES: "0" };

let work;
before(async () => (work = await folderToRemove()));
after(() => remove(work));
afterEach(killAll);

test("the commands with --dir: an activated version is taken up, and a rollback", async () => {
  const dir = path.join(work, "catalogue");
  async function data(...words) {
    const { code, err } = await run(main, words);
    assert.equal(code, 0, err);
  }
  const ids = [];
  for (const amount of [10, 30]) {
    const [prices, out] = [path.join(work, `${amount}.csv`), path.join(work, `${amount}`)];
    await writeFile(prices, `cprcode,branchId,price\n1001,1000,${amount}\n`);
    await data("build", "--prices", prices, "--no-zones", "--out", out, "--dir", dir);
    await data("push", out, "--dir", dir);
    ids.push(JSON.parse(await readFile(path.join(out, "manifest.json"), "utf8")).id);
  }
  const { url } = startProgram({ CATALOGUE_DIR: dir, ...EAGER });
  assert.equal((await price(await url)).body.error, "No catalogue has been published yet");
  for (const [words, id, total] of [
    [["activate", ids[0]], ids[0], 20],
    [["activate", ids[1], "--force"], ids[1], 60],
    [["rollback"], ids[0], 20],
  ]) {
    await data(...words, "--dir", dir);
    const { headers, body } = await price(await url);
    assert.deepEqual([headers.get("x-order-cost-data"), body.grandTotal], [id, total], words.join(" "));
  }
});

test("the address of a catalogue is in no line: it may have a key in it", async () => {
  const server = http.createServer((_, response) => response.writeHead(503).end());
  const program = startProgram({ CATALOGUE_URL: `${await listen(server)}/t0ken/catalogue/?key=s3cret` });
  assert.equal((await price(await program.url)).body.error, "The price store did not answer");
  await until("the log says why", () => program.records("order").some(({ cause }) => cause === "/current answered 503"));
  assert.doesNotMatch(program.lines.join("\n"), /t0ken|s3cret/);
  server.close();
});

test("a catalogue that unpacks to more than its kind may have is no answer", async (t) => {
  const server = http.createServer((_, response) => sendBomb(response));
  t.after(() => server.close().closeAllConnections());
  const program = startProgram({ CATALOGUE_URL: await listen(server) });
  assert.equal((await price(await program.url)).body.error, "The price store did not answer");
  await until("the log says why", () =>
    program.records("order").some(({ cause }) => cause === "/current answered more than 26214400 bytes"),
  );
});

describe("a folder that is damaged", () => {
  const INCOMPLETE = { error: "The price store is incomplete: try again" };
  let folder;
  let program;
  let url;

  before(async () => (folder = await shopFolder()));
  after(() => remove(folder));

  async function start() {
    program = startProgram({ CATALOGUE_DIR: folder, ...EAGER });
    url = await program.url;
    assert.equal((await price(url)).body.grandTotal, TOTAL);
  }

  const shard = async () => path.join(folder, "shard", (await readdir(path.join(folder, "shard")))[0]);

  test("a text that is missing, and one that is altered: the order fails until it is back", async () => {
    await start();
    const file = await shard();
    const text = await readFile(file, "utf8");
    for (const [damage, spoil] of [
      ["missing", () => rm(file)],
      ["altered", () => writeFile(file, text.replace("10", "99"))],
    ]) {
      await spoil();
      assert.deepEqual((await price(url)).body, INCOMPLETE);
      const isTold = ({ cause }) => new RegExp(`^shard:[0-9a-f]{32} of version [0-9a-f]{16} is ${damage}$`).test(cause);
      await until("it is in the log", () => program.records("order").some(isTold));
      await writeFile(file, text);
      assert.equal((await price(url)).body.grandTotal, TOTAL);
    }
  });

  test("a folder that is removed: the version in use stays, the log says so; and put back", async () => {
    program = startProgram({ CATALOGUE_DIR: folder, DATA_MAX_AGE_SECONDS: "0" });
    url = await program.url;
    assert.equal((await price(url)).body.grandTotal, TOTAL);
    await rename(folder, `${folder}-away`);
    assert.equal((await price(url)).body.grandTotal, TOTAL, "from memory");
    await until("the log says so", () => program.records("data").some(({ message }) => / the version in use stays$/.test(message)));
    const ready = await (await fetch(`${url}/ready`)).json();
    assert.ok(ready.degraded.catalogue, JSON.stringify(ready));
    await rename(`${folder}-away`, folder);
    assert.equal((await price(url)).body.grandTotal, TOTAL);
    assert.deepEqual(program.errors, []);
  });

  test("a file larger than a build writes: it is not read, and the version in use stays", async () => {
    program = startProgram({ CATALOGUE_DIR: folder, DATA_MAX_AGE_SECONDS: "0" });
    url = await program.url;
    const file = path.join(folder, "current");
    const current = await readFile(file, "utf8");
    await truncate(file, 26_214_401);
    assert.equal((await price(url)).body.grandTotal, TOTAL, "from memory");
    const isTold = ({ cause }) => cause === "current has more than 26214400 bytes";
    await until("the log says so", () => program.records("data").some(isTold));
    await writeFile(file, current);
  });

  test("a name of a text that leads out of the folder is no text", async () => {
    const file = path.join(folder, "current");
    const current = await readFile(file, "utf8");
    const outside = JSON.parse(current);
    outside.branches["1000"].layers = ["../../current"];
    await writeFile(file, JSON.stringify(outside));
    program = startProgram({ CATALOGUE_DIR: folder });
    assert.equal((await price(await program.url)).body.error, "The catalogue cannot be read");
    await writeFile(file, current);
  });
});

test("a folder that hangs: orders of known data are answered, with keys and receipts, and the program ends", {
  skip: process.platform !== "linux",
}, async () => {
  const folder = await shopFolder();
  const RECEIPT_KEY = JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }));
  const variables = { CATALOGUE_DIR: folder, API_KEYS: "right", RECEIPT_KEY, DATA_MAX_AGE_SECONDS: "0", DEADLINE_MS: "1000" };
  const program = startProgram(variables);
  const url = await program.url;
  const send = (key = "right") => price(url, undefined, { authorization: `Bearer ${key}` });
  await until("the version is in memory", async () => (await send()).status === 200);
  await rm(path.join(folder, "current"));
  await promisify(execFile)("mkfifo", [path.join(folder, "current")]);
  // Each looks at `current`, and Node's pool has four threads.
  for (let count = 0; count < 6; count++) {
    const { status, headers, body } = await send();
    assert.deepEqual([status, body.grandTotal, headers.has("x-order-cost-receipt")], [200, TOTAL, true]);
  }
  assert.equal((await send("wrong")).status, 401);
  program.child.kill("SIGTERM");
  assert.deepEqual(await program.ended, { code: 0, signal: null });
  await remove(folder);
});
