// Orders a second of the service, of its stack alone, and of the example in Rust; and the CPU time of each for an order.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startProgram } from "../../tests/node/program.js";
import { post, sendOrders } from "../../tests/node/rolling.js";
import { cpuMs, memory } from "../../tests/worker/alone.js";
import { makeReceiptKey } from "../measure/index.js";
import { interleave, loaded } from "../node/index.js";
import { FILLER, fillerFor } from "../orders/index.js";
import { start, startStack } from "./compared.js";

export const SERVICE = "the service";
const SIGNING = "the service, with receipts";
export const FIXED = "fixed bytes";
const ECHO = "echo";
export const AXUM = "axum";

const PROCESSES = "2";

/** Orders of one load. The next load sends others. */
const BATCH = 1_000;

/** How often all products are ordered before: each process shall see each of them. */
const PASSES = 3;

/**
 * @param {Awaited<ReturnType<typeof import("./shop.js").makeShop>>} shop
 * @param {string} axum the example's program
 * @param {{ folder: string, seconds: number, rounds: number }} options
 */
export async function measureSpeed(shop, axum, { folder, seconds, rounds }) {
  const [{ body, answers }] = shop.orders;
  const [answer] = answers.values();
  const facts = join(folder, "facts.json");
  writeFileSync(facts, shop.facts());
  const settings = { WORKERS: PROCESSES, CATALOGUE_DIR: shop.catalogue };
  const service = startProgram(settings);
  const signing = startProgram({ ...settings, RECEIPT_KEY: await makeReceiptKey() });
  const servers = {
    [SERVICE]: { child: service.child, url: await service.url },
    [SIGNING]: { child: signing.child, url: await signing.url },
    [FIXED]: await startStack("fixed", `${answer.length}`),
    [ECHO]: await startStack("echo"),
    [AXUM]: await start(axum, ["--facts", facts, "--port", "0", "--host", "127.0.0.1"]),
  };
  try {
    for (const name of [SERVICE, SIGNING, AXUM]) await check(servers[name].url, shop.orders);
    for (const name of [SERVICE, SIGNING]) await orderAll(servers[name].url, shop.orders);
    const requests = shop.orders.map((order) => ({ body: order.body, headers: { [FILLER]: fillerFor(order.body, answer.length) } }));
    const loads = Object.entries(servers).map(([name, server]) => [name, loadOf(server, requests, seconds)]);
    console.log(`loading ${Object.keys(servers).join(", ")}`);
    const samples = await interleave(Object.fromEntries(loads), rounds);
    const residents = await Promise.all(processesOf(service.child.pid).slice(1).map(memory));
    return { bodyBytes: body.length, answerBytes: answer.length, samples, memory: Math.max(...residents) };
  } finally {
    for (const { child } of Object.values(servers)) child.kill();
  }
}

/** The memory of a single process that was asked for every product, in bytes. */
export async function measureMemory(shop) {
  console.log("ordering every product of one process");
  const program = startProgram({ WORKERS: "1", CATALOGUE_DIR: shop.catalogue });
  const url = await program.url;
  const [, pid] = processesOf(program.child.pid);
  const started = await memory(pid);
  await orderAll(url, shop.orders);
  const used = await memory(pid);
  await program.kill();
  return { started, used };
}

async function orderAll(url, orders) {
  const count = PASSES * orders.length;
  const { lost, wrong } = await sendOrders(orders, { address: () => url, isOver: (sent) => sent >= count });
  if (lost.length + wrong.length > 0) throw new Error([...lost, ...wrong][0]);
}

/** Each answers what the naive model does. */
async function check(url, orders) {
  for (const { body, answers } of orders.slice(0, BATCH)) {
    const { bytes } = await post(url, body);
    const [answer] = answers.values();
    if (!answer.equals(bytes)) throw new Error(`${url} gives another response: ${bytes.subarray(0, 300)}`);
  }
}

function loadOf({ child, url }, requests, seconds) {
  const pids = processesOf(child.pid);
  const used = async () => (await Promise.all(pids.map(cpuMs))).reduce((sum, ms) => sum + ms, 0);
  let first = 0;
  return async () => {
    const batch = requests.slice(first, first + BATCH);
    first = (first + BATCH) % requests.length;
    const before = await used();
    const { responses, seconds: taken } = await loaded(`${url}/calculatecost4`, batch, seconds);
    return { perSecond: responses / taken, cpuMs: ((await used()) - before) / responses };
  };
}

/** A process and its children. */
function processesOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return [pid, ...children.split(" ").filter(Boolean).map(Number)];
}
