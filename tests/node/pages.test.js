// What the pages of the service start on Node, and type then, as it stands but for the folders and the ports.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdir, readdir, readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { blocksOf } from "../package/snippets.js";
import { freePorts } from "../ports.js";
import { until } from "../until.js";
import { watch } from "./program.js";
import { folderToRemove, ORDER, price, remove, shopFolder, TOTAL } from "./shop.js";

const WORKER = fileURLToPath(new URL("../../worker", import.meta.url));
const CLI = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
const page = (name) => fileURLToPath(new URL(`../../www/docs/service/${name}.md`, import.meta.url));
const startIn = (name, heading) => blocksOf(page(name)).find((block) => block.heading === heading && block.code.includes("npm start")).code;

const { PATH, HOME } = process.env;
let folder;
before(async () => {
  folder = await shopFolder();
});
after(() => remove(folder));

/** Types a block, which ends with the start of the service. */
async function started(context, code, variables) {
  const env = { PATH, HOME, PORT: "0", WORKERS: "1", ...variables };
  const program = watch(spawn("bash", ["-ec", code], { cwd: WORKER, env, stdio: ["ignore", "pipe", "pipe"], detached: true }));
  context.after(async () => {
    process.kill(-program.child.pid, "SIGTERM");
    await program.ended;
  });
  return program.url;
}

test("deploying: the service prices an order from a folder", async (context) => {
  const code = startIn("deploy", "On Node");
  assert.ok(code.includes("=/srv/catalogue "));
  const url = await started(context, code.replace("/srv/catalogue", folder), {});
  assert.equal((await price(url, ORDER)).body.grandTotal, TOTAL);
});

test("decision log: an order that asks for it is captured, and an old capture is deleted", async (context) => {
  const decisions = join(folder, "decisions");
  const code = startIn("decision-log", "Switch it on")
    .replaceAll("/var/lib/order-cost/decisions", decisions)
    .replace("/srv/catalogue", folder);
  const url = await started(context, code, { API_KEYS: "key" });
  const { status, body } = await price(url, ORDER, { authorization: "Bearer key", "x-order-cost-capture": "1" });
  assert.equal(status, 200, JSON.stringify(body));
  const names = async () => (await readdir(decisions, { recursive: true })).filter((name) => name.includes("requested/"));
  await until("the order is captured", async () => (await names()).length === 1);

  const old = join(decisions, "2026-01-01");
  await mkdir(old);
  await utimes(old, 0, 0);
  const [, finding] = (await readFile(page("decision-log"), "utf8")).match(/`(find .+? -delete)`/);
  await promisify(execFile)("bash", ["-ec", finding.replace("/var/lib/order-cost/decisions", decisions)]);
  await assert.rejects(stat(old), { code: "ENOENT" });
  assert.equal((await names()).length, 1);
});

test("decision log: the demo shop, an order, why it cost that, and that it was answered", async (context) => {
  const demo = await folderToRemove();
  context.after(() => remove(demo));
  const [starting, trying] = blocksOf(page("decision-log"))
    .filter(({ heading }) => heading === "Try it on your machine")
    .map(({ code }) => code);
  assert.equal(starting, "cd worker && npm ci && npm run demo\n"); // the first two have prepared this test
  const url = await started(context, "npm run demo", { PORT: `${await freePorts(4)}`, DEMO_DIR: demo });
  const script = trying
    .replace("cd worker/demo-shop\n", "")
    .replaceAll("http://127.0.0.1:8787", url)
    .replaceAll("npx order-cost", `"${process.execPath}" "${CLI}"`);
  const [ordering, explaining] = script.split(/(?=^.* explain )/m);
  const type = async (code) => (await promisify(execFile)("bash", ["-ec", code], { cwd: demo })).stdout;
  await type(ordering);
  const isCapture = (name) => name.endsWith("/requested/0");
  await until("the order is captured", async () => (await readdir(join(demo, "decisions"), { recursive: true })).some(isCapture));
  const said = await type(explaining);
  assert.match(said, /^This version gives the same answer, to the byte\.$/m);
  assert.match(said, /^valid: /m);
});
