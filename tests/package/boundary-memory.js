// boundary.test.js runs this in a separate process with --expose-gc. It measures what becomes of work that nobody holds
// any more. It prints how many bytes of the module's memory and of the heap remain if the work is dropped and if it is
// held, and whether a smaller instance replaces the module's instance after a large order.
import { setTimeout as later } from "node:timers/promises";
import { createPricer } from "order-cost";
import { instanceId, keepRequestsApart } from "../../pkg/core/instance.js";
import { initSync } from "../../pkg/wasm/order_cost.js";

/** Number of garbage collections during a measurement. */
const COLLECTIONS = 5;

const lines = (count) => Array.from({ length: count }, (_, index) => ({ cprcode: index + 1, productName: "x".repeat(50), quantity: 2 }));
const ORDER = { productList: lines(20) };
const SMALL = { productList: lines(1) };
/** So many make a response larger than the memory that an unused instance may keep. */
const SCHEDULES = 340_000;

/** The functions that would answer the silent host, if somebody holds them. */
let resolvers = [];
const answering = { lookupPrices: (keys) => keys.map(() => ({ price: 1 })) };
const silent = { lookupPrices: () => new Promise((resolve) => void resolvers?.push(resolve)) };
const quick = await createPricer(answering, { limits: { maxSchedules: SCHEDULES } });
const never = await createPricer(silent, { deadlineMs: 0 });

function unfreed(basket) {
  basket.settle();
  return basket;
}

const WAYS = {
  "a small basket": () => quick.basket(SMALL),
  "a settled basket": () => unfreed(quick.basket(ORDER)),
  "a basket that waits for ever": () => unfreed(never.basket(ORDER)),
  "a calculation that waits for ever": () => never.calculate(ORDER),
  "a calculation with a signal that waits for ever": () => never.calculate(ORDER, { signal: new AbortController().signal }),
};

const [what, times] = process.argv.slice(2);
// As in workerd. Elsewhere the module's instance keeps a list of waiting calculations, to end them.
if (/waits for ever/.test(what)) keepRequestsApart();

async function collect() {
  for (let turn = 0; turn < 3; turn += 1) {
    await later(1);
    globalThis.gc();
  }
  await later(1);
}

async function taken(count, held) {
  const batch = Math.ceil(count / COLLECTIONS);
  resolvers = held && [];
  const before = await bytes();
  for (let index = 1; index <= count; index += 1) {
    const made = WAYS[what]();
    held?.push(made);
    if (index % batch === 0) await collect();
  }
  const after = await bytes();
  return { module: after.module - before.module, heap: after.heap - before.heap };
}

async function bytes() {
  await collect();
  return { module: initSync().memory.buffer.byteLength, heap: process.memoryUsage().heapUsed };
}

await taken(Number(times)); // what is needed in any case
const dropped = await taken(Number(times));
const kept = [];
const held = await taken(Number(times), kept);

kept.length = 0;
resolvers = undefined;
await collect();
const before = instanceId();
// Nothing asks for this of a small basket.
if (what !== "a small basket")
  await quick.calculate({ ...SMALL, shipping: { scheduleList: Array.from({ length: SCHEDULES }, () => ({})) } });
const result = { dropped, held, isReplaced: instanceId() !== before, left: initSync().memory.buffer.byteLength };
console.log(JSON.stringify(result));
