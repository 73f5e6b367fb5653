// What an order takes outside the Worker's own calculation: the demo's coupon service, and a line of the log.
import { startAlone } from "../../tests/worker/alone.js";
import { outsideOf } from "../../tests/worker/largest-order.js";
import { bundle } from "../../tests/worker/workerd.js";
import { median } from "../measure/index.js";
import { bodyOf, DELIVERED, price, send } from "./orders.js";

const LINES = [20, 200];
const CALLS = 500;
const BATCHES = 5;
const LOGGED = 50;

/** The CPU time of the coupon service for an order, by lines. */
export async function measureCoupons(texts, products) {
  const questions = await questionsOf(texts, products);
  const app = await bundle("worker/services/coupons/wrangler.jsonc");
  const service = await startAlone(app, outsideOf(new Map()));
  try {
    const results = {};
    for (const lines of LINES) {
      console.log(`${lines} lines, in the coupon service`);
      const batches = [];
      for (let batch = 0; batch <= BATCHES; batch += 1) {
        const before = await service.cpuMs();
        for (let index = 0; index < CALLS; index += 1) await send(service.url(), questions[lines]);
        batches.push(((await service.cpuMs()) - before) / CALLS);
      }
      results[lines] = median(batches.slice(1)); // the first one warms up
    }
    return results;
  } finally {
    await service.stop();
  }
}

/** What the Worker asks the coupon service, by lines of the order. */
async function questionsOf(texts, products) {
  const { stores, services } = outsideOf(texts);
  let question;
  const COUPONS = (asked) => services.COUPONS((question = asked));
  const worker = await startAlone(await bundle("tests/hostile/wrangler.jsonc"), { stores, services: { ...services, COUPONS } });
  try {
    const questions = {};
    for (const lines of LINES) {
      await price(worker, bodyOf(DELIVERED, lines, products, 0));
      questions[lines] = JSON.stringify(question);
    }
    return questions;
  } finally {
    await worker.stop();
  }
}

/** The bytes of the log line of a priced order. */
export async function measureLog(texts, products) {
  const app = await bundle("tests/hostile/wrangler.jsonc");
  const worker = await startAlone({ ...app, bindings: { LOG_SAMPLE: "1" } }, outsideOf(texts));
  try {
    for (let turn = 0; turn < LOGGED; turn += 1) await price(worker, bodyOf(DELIVERED, 20, products, turn));
    const sizes = worker.logs.filter((line) => line.includes('"event":"order"')).map((line) => Buffer.byteLength(line));
    if (sizes.length !== LOGGED) throw new Error(`${sizes.length} of ${LOGGED} orders wrote a line`);
    return median(sizes);
  } finally {
    await worker.stop();
  }
}
