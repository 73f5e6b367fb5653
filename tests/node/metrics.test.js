// GET /metrics: the sums of all processes, on a port of its own.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "node:test";
import { freePorts } from "../ports.js";
import { until } from "../until.js";
import { entriesOf } from "../worker/catalogue.js";
import { killAll, startProgram } from "./program.js";
import { ORDER, price, remove, shopFolder, versionOf, writeTexts } from "./shop.js";

const RUNBOOK = await readFile(new URL("../../www/docs/service/runbook.md", import.meta.url), "utf8");

let folder;
before(async () => (folder = await shopFolder()));
after(() => remove(folder));
afterEach(killAll);

async function start(variables) {
  const port = await freePorts();
  const program = startProgram({ CATALOGUE_DIR: folder, METRICS_PORT: `${port}`, ...variables });
  const url = await program.url;
  const text = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return { program, url, port, text };
}

/** The sum of a metric's series whose labels have these. */
function sumOf(text, name, labels = {}) {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const matching = lines.filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)));
  return matching.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

const orders = (text, labels) => sumOf(text, "order_cost_orders_total", labels);

test("never on the public port, and nothing else on its own; the runbook lists exactly the names of ours", async () => {
  const { url, port, text } = await start();
  assert.equal((await fetch(`${url}/metrics`)).status, 404);
  for (const path of ["/", "/health", "/calculatecost4", "/metrics/x"]) {
    assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 404, path);
  }
  assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" })).status, 404);
  await price(url);
  const names = new Set([...(await text()).matchAll(/^# TYPE (order_cost_\w+) /gm)].map(([, name]) => name));
  const listed = new Set([...RUNBOOK.matchAll(/`(order_cost_\w+?)(?:_bucket|_sum|_count)?`/g)].map(([, name]) => name));
  assert.deepEqual(
    [...names].filter((name) => !listed.has(name)),
    [],
  );
  assert.deepEqual(
    [...listed].filter((name) => !names.has(name)),
    [],
  );
});

test("adds up the processes, and keeps what ended ones have counted", async () => {
  const { program, url, text } = await start({ WORKERS: "2" });
  const some = (count, order) => Promise.all(Array.from({ length: count }, () => price(url, order)));
  await some(40);
  await some(3, { productList: [{ ...ORDER.productList[0], cprcode: 7 }] });
  const before = await text();
  assert.deepEqual([orders(before), orders(before, { code: "OK" }), orders(before, { code: "PRODUCT_PRICE_NOT_FOUND" })], [43, 40, 3]);
  assert.equal(sumOf(before, "order_cost_order_seconds_count"), 43);
  assert.equal(sumOf(before, "order_cost_processes"), 2);
  program.child.kill("SIGHUP");
  await until("both are replaced", () => program.records("reload").length === 1);
  await some(5);
  await until("the old ones have told", async () => orders(await text()) === 48);
  assert.equal(sumOf(await text(), "order_cost_process_restarts_total"), 0);
});

test("the label `version` has ten values at most", async () => {
  const { url, text } = await start({ DATA_MAX_AGE_SECONDS: "0" });
  const VERSIONS = 13;
  for (let amount = 1; amount <= VERSIONS; amount += 1) {
    await writeTexts(folder, entriesOf(await versionOf(amount)));
    assert.equal((await price(url)).body.grandTotal, 2 * amount);
  }
  const shown = await text();
  const versions = new Set([...shown.matchAll(/^order_cost_orders_total\{.*version="(\w+)"/gm)].map(([, version]) => version));
  assert.equal(versions.size, 10);
  assert.equal(sumOf(shown, "order_cost_catalogue_info"), 1);
});

test("40 readers at the same time print no warning", async () => {
  const { program, text } = await start();
  for (const shown of await Promise.all(Array.from({ length: 40 }, text))) assert.equal(sumOf(shown, "order_cost_processes"), 1);
  assert.deepEqual(program.errors, []);
});
