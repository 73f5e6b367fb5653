// What a receipt costs: the same warm orders with and without RECEIPT_KEY, by turns.
import { startAlone } from "../../tests/worker/alone.js";
import { outsideOf } from "../../tests/worker/largest-order.js";
import { bundle } from "../../tests/worker/workerd.js";
import { makeReceiptKey, median } from "../measure/index.js";
import { byTurns } from "./by-turns.js";
import { bodyOf, DELIVERED, PICKED_UP, price } from "./orders.js";

/** @typedef {import("../../tests/worker/alone.js").Alone} Alone */

const LINES = 20;
const ORDERS = 500;
const WARM_UP_BATCHES = 4;

const BINDINGS = { DATA_REFRESH_SECONDS: "86400", DATA_MAX_AGE_SECONDS: "86400" };

/**
 * CPU time and time of an order, by kind: `without`, `with`, and the median of the ratios.
 * @param {Map<string, string>} texts what KV has
 * @param {number} products of each branch
 * @param {number} batches of orders
 */
export async function measureReceipts(texts, products, batches) {
  const app = await bundle("tests/hostile/wrangler.jsonc");
  const RECEIPT_KEY = await makeReceiptKey();
  const rows = [];
  for (const kind of [PICKED_UP, DELIVERED]) {
    console.log(`receipts: ${LINES} lines, ${kind}`);
    const start = (bindings) => startAlone({ ...app, bindings }, outsideOf(texts));
    const workers = { without: await start(BINDINGS), with: await start({ ...BINDINGS, RECEIPT_KEY }) };
    try {
      rows.push({ kind, lines: LINES, ...(await compare(workers, (turn) => bodyOf(kind, LINES, products, turn), batches)) });
    } finally {
      await Promise.all(Object.values(workers).map((worker) => worker.stop()));
    }
  }
  return rows;
}

/** @param {{ without: Alone, with: Alone }} workers */
async function compare(workers, body, batches) {
  let turn = 0;
  const batch = (worker) => measureBatch(worker, () => body((turn += 1)));
  for (const worker of Object.values(workers)) for (let count = 0; count < WARM_UP_BATCHES; count += 1) await batch(worker);
  return byTurns(workers, batches, batch);
}

/** @param {Alone} worker */
async function measureBatch(worker, body) {
  const times = [];
  const before = await worker.cpuMs();
  for (let count = 0; count < ORDERS; count += 1) {
    const sent = body();
    const begun = performance.now();
    await price(worker, sent);
    times.push(performance.now() - begun);
  }
  return { cpuMs: ((await worker.cpuMs()) - before) / ORDERS, p50: median(times) };
}
