// What one order takes, by its lines: questions, text, CPU time and memory. The Worker is alone in its process.
import { startAlone } from "../../tests/worker/alone.js";
import { outsideOf } from "../../tests/worker/largest-order.js";
import { bundle } from "../../tests/worker/workerd.js";
import { median } from "../measure/index.js";
import { bodyOf, DELIVERED, LARGEST, moduleBytesOf, PICKED_UP, price } from "./orders.js";

/** Each has a first order. */
const ISOLATES = 5;

/** Warm orders of a batch, by lines: some tenths of a second of CPU time. */
const BATCH = { 1: 600, 20: 500, 200: 150, 5000: 12 };

/** V8 optimises the hot code in the first of them, which do not count. */
const WARM_UP_BATCHES = 3;

/** No look at `current` behind the orders: it is counted apart. */
const BINDINGS = { DATA_REFRESH_SECONDS: "86400", DATA_MAX_AGE_SECONDS: "86400" };

const CASES = [...[PICKED_UP, DELIVERED].flatMap((kind) => Object.keys(BATCH).map((lines) => [kind, Number(lines)])), [LARGEST, 5_000]];

/**
 * @param {Map<string, string>} texts what KV has
 * @param {number} products of each branch
 * @param {number} batches of warm orders; the median counts
 */
export async function measureLines(texts, products, batches) {
  const app = await bundle("tests/hostile/wrangler.jsonc");
  const rows = [];
  for (const [kind, lines] of CASES) {
    console.log(`${lines} lines, ${kind}`);
    const workerd = await startAlone({ ...app, bindings: BINDINGS }, outsideOf(texts), { isolates: ISOLATES });
    const body = (turn) => bodyOf(kind, lines, products, turn);
    try {
      rows.push({ kind, lines, ...(await measureOne(workerd, body, BATCH[lines], batches)) });
    } finally {
      await workerd.stop();
    }
  }
  return rows;
}

async function measureOne(workerd, body, count, batches) {
  const first = body(0);
  const before = await workerd.memory();
  const cold = await usedBy(workerd, ISOLATES, (isolate) => price(workerd, first, isolate));
  const grownBytes = ((await workerd.memory()) - before) / ISOLATES;
  const moduleBytes = await moduleBytesOf(workerd);
  let turn = 0;
  const batch = () => usedBy(workerd, count, () => price(workerd, body((turn += 1))));
  for (let index = 0; index < WARM_UP_BATCHES; index += 1) await batch();
  const warm = [];
  for (let index = 0; index < batches; index += 1) warm.push(await batch());
  return {
    cold: { ...cold, grownBytes },
    warm: { ...warm.at(-1), cpuMs: median(warm.map(({ cpuMs }) => cpuMs)) },
    bodyBytes: first.byteLength,
    answerBytes: (await price(workerd, first)).byteLength,
    moduleBytes,
  };
}

/** What each of `count` orders takes, one after another. */
async function usedBy(workerd, count, priceOne) {
  workerd.asked();
  const before = await workerd.cpuMs();
  for (let index = 0; index < count; index += 1) await priceOne(index);
  const used = { cpuMs: (await workerd.cpuMs()) - before, ...workerd.asked() };
  return Object.fromEntries(Object.entries(used).map(([name, sum]) => [name, sum / count]));
}
