// One answer everywhere: generated orders with their facts, priced by the native build, by the package in Node.js and
// in Chromium, and by the HTTP handler in workerd. All four must give the same bytes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browser, origin, startBeside } from "../browser/beside.js";
import { cases as effort, SEED } from "../effort.js";
import { bodyBytes } from "../model/body.js";
import { generate } from "../model/generate.js";
import { price } from "../model/price.js";
import { bundle, startWorkerd } from "../worker/workerd.js";
import { bodiesOf } from "./bodies.js";

const { NATIVE } = process.env;
if (!NATIVE) throw new Error("NATIVE is not set: expected a program, as `cargo xtask test --only everywhere` sets it");

const ORDERS = effort(80);
const CONNECTIONS = 4;

const cases = generated();
let workerd;
startBeside(serve);
before(async () => {
  workerd = await startWorkerd([await bundle("tests/worker/harness.jsonc")]);
});
after(() => workerd?.stop());

test(`${ORDERS} priced orders and others from seed ${SEED}: the same bytes in native Rust, Node.js, Chromium and workerd`, async (context) => {
  const places = { "Node.js": bodiesOf(cases), "native Rust": inNative(), Chromium: inChromium(), workerd: inWorkerd() };
  const answers = await Promise.all(Object.entries(places).map(async ([place, bodies]) => ({ place, bodies: await bodies })));
  const [reference] = answers;
  const priced = reference.bodies.filter((body) => !body.startsWith('{"error":')).length;
  context.diagnostic(`${String(priced).padStart(6)} orders priced, ${cases.length - priced} refused`);
  for (const { place, bodies } of answers) context.diagnostic(`${digest(bodies.map(digest).join())} ${place}`);
  assert.equal(priced, ORDERS);
  for (const { place, bodies } of answers) {
    assert.equal(bodies.length, cases.length, place);
    const differs = bodies.findIndex((body, index) => digest(body) !== digest(reference.bodies[index]));
    if (differs < 0) continue;
    const { seed, tags } = cases[differs];
    assert.equal(bodies[differs], reference.bodies[differs], `seed ${seed} (${tags.join(", ")}): ${place} beside Node.js`);
  }
});

const digest = (text) => createHash("sha256").update(text).digest("hex");

/**
 * ORDERS cases that can be priced and, from the same seeds, one in three of the others. Each body is bytes, so that
 * every runtime gets the same.
 */
function generated() {
  const found = [];
  let priced = 0;
  for (let seed = SEED; priced < ORDERS; seed += 1) {
    const { order, body, bodyBase64, host, ...testCase } = generate(seed);
    const isLate = Object.values(host?.fails ?? {}).some(({ late }) => late);
    if (isLate) continue; // a deadline is the clock's word
    const bytes = Buffer.from(bodyBytes({ order, body, bodyBase64 }));
    const one = { ...testCase, host: host && asTexts(host), bodyBase64: bytes.toString("base64") };
    const isPriced = price(one).text !== undefined;
    priced += isPriced;
    if (isPriced || seed % 3 === 0) found.push(one);
  }
  return found;
}

/** Vouchers as JSON text: an owner may have a lone surrogate, which the native program's case reader refuses. */
function asTexts({ vouchers = {}, ...host }) {
  const text = (record) => (record === null || typeof record === "string" ? record : JSON.stringify(record));
  return { ...host, vouchers: Object.fromEntries(Object.entries(vouchers).map(([id, record]) => [id, text(record)])) };
}

async function inNative() {
  const running = execFile(NATIVE, { maxBuffer: 2 ** 30 });
  const lines = running.stdout.setEncoding("utf8").toArray();
  running.stdin.end(cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return (await lines)
    .join("")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function inChromium() {
  const page = await browser.newPage();
  await page.goto(origin);
  const bodies = await page.evaluate(
    async (text) => (await import("/tests/everywhere/bodies.js")).bodiesOf(JSON.parse(text)),
    JSON.stringify(cases),
  );
  await page.close();
  return bodies;
}

async function inWorkerd() {
  const url = await workerd.url("golden-harness");
  const bodies = new Array(cases.length);
  const left = cases.keys();
  const work = async () => {
    for (const index of left) bodies[index] = await overHttp(`${url}/${index}`, cases[index]);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return bodies;
}

async function overHttp(url, testCase) {
  await fetch(url, { method: "PUT", body: JSON.stringify(testCase) });
  const response = await fetch(`${url}/calculatecost4`, { method: "POST", body: bodyBytes(testCase) });
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await response.arrayBuffer());
}

const ROOT = new URL("../../", import.meta.url);
const IMPORTS = { "order-cost": "/pkg/url.js", "order-cost/testing": "/pkg/testing.js" };
const PAGE = `<!doctype html><meta charset="utf-8"><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves the project's own files to the page. */
async function serve({ url }, response) {
  if (url === "/") return response.setHeader("content-type", "text/html").end(PAGE);
  const type = TYPES[path.extname(url)];
  const file = type && (await readFile(fileURLToPath(new URL(`.${url}`, ROOT))).catch(() => undefined));
  if (!file) return response.writeHead(404).end();
  response.setHeader("content-type", type).end(file);
}
