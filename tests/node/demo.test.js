// `npm run demo`: the demo shop without containers, with the commands that the page of the decision log tries on it.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { blocksOf } from "../package/snippets.js";
import { until } from "../until.js";
import { watch } from "./program.js";
import { isListening, price, remove, temporaryFolder } from "./shop.js";

const DEMO = fileURLToPath(new URL("../../worker/demo/shop.js", import.meta.url));
const CLI = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
const PAGE = fileURLToPath(new URL("../../www/docs/service/decision-log.md", import.meta.url));
const ORDER = { productList: [{ cprcode: 110018, productName: "Rice", quantity: 2 }], couponCodeList: ["SAVE20"] };
const ASKED = { authorization: "Bearer demo-key", "x-order-cost-capture": "1" };

let folder;
let port;

before(async () => {
  folder = await temporaryFolder();
  port = await freePorts();
});
after(() => remove(folder));

/** The first of four, below those that the system gives to whatever connects meanwhile. */
async function freePorts() {
  for (;;) {
    const first = 20_000 + 4 * Math.floor(Math.random() * 2_500);
    const taken = await Promise.all([0, 1, 2, 3].map((more) => isListening(`http://127.0.0.1:${first + more}`)));
    if (!taken.includes(true)) return first;
  }
}

const start = () => watch(spawn(process.execPath, [DEMO], { env: { PATH: process.env.PATH, DEMO_DIR: folder, PORT: `${port}`, WORKERS: "1" }, stdio: ["ignore", "pipe", "pipe"] }));

test("it prices, signs and captures, proposes no command about a folder that is gone, and ends whole", async () => {
  const shop = start();
  const url = await shop.url;
  const { status, headers, body } = await price(url, ORDER, ASKED);
  assert.deepEqual([status, body.grandTotal], [200, 442], JSON.stringify(body));
  assert.match(headers.get("x-order-cost-receipt"), /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const isCapture = (name) => /^2[\d-]+\/requested\/0$/.test(name);
  await until("the order is captured", async () => (await readdir(join(folder, "decisions"), { recursive: true })).some(isCapture));
  assert.equal((await stat(join(folder, "service.env"))).mode & 0o777, 0o600);
  assert.deepEqual(shop.lines.filter((line) => line.startsWith("Next:")), []);

  shop.child.kill("SIGTERM");
  assert.deepEqual(await shop.ended, { code: 0, signal: null });
  for (const more of [0, 1, 2, 3]) assert.equal(await isListening(`http://127.0.0.1:${port + more}`), false);
});

test("the page's commands, as they stand: an order, why it cost that, and that it was answered", async () => {
  const [starting, trying] = blocksOf(PAGE).filter(({ heading }) => heading === "Try it on your machine").map(({ code }) => code);
  assert.equal(starting, "cd worker && npm ci && npm run demo\n");
  const shop = start();
  const url = await shop.url;
  const script = trying
    .replace("cd worker/demo-shop\n", "")
    .replaceAll("http://127.0.0.1:8787", url)
    .replaceAll("npx order-cost", `"${process.execPath}" "${CLI}"`);
  const [ordering, explaining] = script.split(/(?=^.* explain )/m);
  const type = async (code) => (await promisify(execFile)("bash", ["-ec", code], { cwd: folder })).stdout;
  await type(ordering);
  // The first order of this shop was captured by the test before.
  const isCapture = (name) => /^2[\d-]+\/requested\/1$/.test(name);
  await until("the order is captured", async () => (await readdir(join(folder, "decisions"), { recursive: true })).some(isCapture));
  const said = await type(explaining.replace("requested/0", "requested/1"));
  assert.match(said, /^This version gives the same answer, to the byte\.$/m);
  assert.match(said, /^valid: /m);
  shop.child.kill("SIGTERM");
  await shop.ended;
});

test("the next start has the same keys", async () => {
  const [before, again] = [await keys(), await keys()];
  assert.deepEqual(again, before);
});

async function keys() {
  const shop = start();
  const answer = await (await fetch(`${await shop.url}/receipt-key`)).json();
  shop.child.kill("SIGTERM");
  await shop.ended;
  return answer;
}
