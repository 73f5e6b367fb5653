// `npm run demo`: the demo shop without containers. pages.test.js types on it what the page of the decision log does.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePorts } from "../ports.js";
import { until } from "../until.js";
import { watch } from "./program.js";
import { folderToRemove, isListening, price, remove } from "./shop.js";

const DEMO = fileURLToPath(new URL("../../worker/demo/shop.js", import.meta.url));
const ORDER = { productList: [{ cprcode: 110018, productName: "Rice", quantity: 2 }], couponCodeList: ["SAVE20"] };
const ASKED = { authorization: "Bearer demo-key", "x-order-cost-capture": "1" };

let folder;
let port;
let keys;

before(async () => {
  folder = await folderToRemove();
  port = await freePorts(5);
});
after(() => remove(folder));

const start = (more) =>
  watch(
    spawn(process.execPath, [DEMO], {
      env: { PATH: process.env.PATH, DEMO_DIR: folder, PORT: `${port}`, WORKERS: "1", ...more },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
const keysOf = async (url) => (await fetch(`${url}/receipt-key`)).json();

test("it prices, signs and captures, proposes no command about a folder that is gone, and ends whole", async () => {
  const shop = start();
  const url = await shop.url;
  keys = await keysOf(url);
  const { status, headers, body } = await price(url, ORDER, ASKED);
  assert.deepEqual([status, body.grandTotal], [200, 442], JSON.stringify(body));
  assert.match(headers.get("x-order-cost-receipt"), /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const isCapture = (name) => /^2[\d-]+\/requested\/0$/.test(name);
  await until("the order is captured", async () => (await readdir(join(folder, "decisions"), { recursive: true })).some(isCapture));
  assert.equal((await stat(join(folder, "service.env"))).mode & 0o777, 0o600);
  assert.deepEqual(
    shop.lines.filter((line) => line.startsWith("Next:")),
    [],
  );

  shop.child.kill("SIGTERM");
  assert.deepEqual(await shop.ended, { code: 0, signal: null });
  for (const more of [0, 1, 2, 3]) assert.equal(await isListening(`http://127.0.0.1:${port + more}`), false);
});

test("the next start has the same keys, also on other ports", async () => {
  const other = port + 1;
  const shop = start({ PORT: `${other}` });
  const url = await shop.url;
  assert.equal(url, `http://127.0.0.1:${other}`);
  assert.deepEqual(await keysOf(url), keys);
  const { status, body } = await price(url, ORDER, ASKED);
  assert.deepEqual([status, body.grandTotal], [200, 442], JSON.stringify(body));
  shop.child.kill("SIGTERM");
  await shop.ended;
});

test("the page of the shop answers a wrong address with a page", async (t) => {
  const page = fileURLToPath(new URL("../../worker/demo/main.js", import.meta.url));
  const env = { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: `${port}`, SERVICE_URL: "http://127.0.0.1:9" };
  const child = spawn(process.execPath, [page, "page"], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  t.after(() => child.kill() && ended);
  await until("it listens", () => isListening(`http://127.0.0.1:${port}`));
  for (const path of ["/docs/nothing", "/nothing"]) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    assert.deepEqual([response.status, response.headers.get("content-type")], [404, "text/html; charset=UTF-8"], path);
    assert.match(await response.text(), /No such page/, path);
  }
});

for (const [name, more] of Object.entries({ "the service": 0, "a part": 1, "the last part": 3 })) {
  test(`a taken port of ${name} ends it as a failure, with a sentence that names the port`, async () => {
    const holder = createServer().listen(port + more, "127.0.0.1");
    await once(holder, "listening");
    try {
      const shop = start();
      assert.deepEqual(await shop.ended, { code: 1, signal: null });
      assert.deepEqual(shop.lines, []);
      assert.equal(shop.errors.length, 1, shop.errors.join("\n"));
      assert.match(shop.errors[0], new RegExp(`^The demo cannot listen on 127\\.0\\.0\\.1:${port + more}: .*PORT=9000`));
    } finally {
      holder.close();
    }
  });
}

test("a port that is none ends it with a sentence, too", async () => {
  const shop = start({ PORT: "65534" });
  assert.deepEqual(await shop.ended, { code: 1, signal: null });
  assert.match(shop.errors.join("\n"), /^The demo cannot listen on 127\.0\.0\.1:65536: [^\n]*$/);
});

test("a service that something kills is a failure", async () => {
  const shop = start();
  await shop.url;
  const { pid } = JSON.parse(shop.lines.find((line) => line.includes('"event":"listening"')));
  process.kill(pid, "SIGKILL");
  assert.deepEqual(await shop.ended, { code: 1, signal: null });
});
