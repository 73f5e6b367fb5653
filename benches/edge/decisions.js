// What the decision log costs: the same warm orders without it and with every order captured, by turns.
import http from "node:http";
import { startAlone } from "../../tests/worker/alone.js";
import { outsideOf } from "../../tests/worker/largest-order.js";
import { bundle } from "../../tests/worker/workerd.js";
import { median } from "../measure/index.js";
import { loaded } from "../node/index.js";
import { byTurns } from "./by-turns.js";
import { bodyOf, PICKED_UP } from "./orders.js";

const LINES = 20;
const ORDERS = 1_000;
const WARM_UP_ORDERS = 2_000;

/** So far apart that each order is captured: the log takes one every 50 ms. */
const APART_MS = 60;
const APART_ORDERS = 100;

const BINDINGS = { DATA_REFRESH_SECONDS: "86400", DATA_MAX_AGE_SECONDS: "86400" };
const CAPTURING = { ...BINDINGS, DECISION_SAMPLE: "1", REDACT_KEY: "the key of the benchmark: no secret" };

/**
 * @param {Map<string, string>} texts what KV has
 * @param {number} products of each branch
 * @param {number} batches
 * @returns {Promise<{ rate: number, busy: Sample, apart: Sample }>} `rate`: orders a second at half of saturation, as `busy`
 *   has them
 *
 * @typedef {import("./by-turns.js").Compared<Figures>} Sample
 * @typedef {{ p50: number, cpuMs: number, captures: number }} Figures milliseconds, and captures of an order
 */
export async function measureDecisions(texts, products, batches) {
  const app = await bundle("tests/hostile/wrangler.jsonc");
  const start = (bindings, options) => startAlone({ ...app, bindings }, outsideOf(texts), options);
  const workers = { without: await start(BINDINGS), with: await start(CAPTURING, { hasBucket: true }) };
  let turn = 0;
  const next = () => bodyOf(PICKED_UP, LINES, products, (turn += 1));
  try {
    console.log(`decision log: ${LINES} lines`);
    for (const worker of Object.values(workers)) for (let count = 0; count < WARM_UP_ORDERS; count += 1) await timed(worker, next());
    const { responses, seconds } = await loaded(`${workers.without.url()}/calculatecost4`, [{ body: next() }], 2);
    const rate = responses / seconds / 2;
    return {
      rate,
      busy: await byTurns(workers, batches, (worker) => paced(worker, next, { orders: ORDERS, ms: 1_000 / rate })),
      apart: await byTurns(workers, batches, (worker) => paced(worker, next, { orders: APART_ORDERS, ms: APART_MS })),
    };
  } finally {
    await Promise.all(Object.values(workers).map((worker) => worker.stop()));
  }
}

/** Sends orders at a pace, whether or not the earlier ones have been answered. */
async function paced(worker, next, { orders, ms }) {
  worker.asked();
  const before = await worker.cpuMs();
  const begun = performance.now();
  const answers = [];
  for (let sent = 0; sent < orders; sent += 1) {
    const body = next();
    await until(begun + sent * ms);
    answers.push(timed(worker, body));
  }
  const times = await Promise.all(answers);
  const { captures } = worker.asked();
  return { p50: median(times), cpuMs: ((await worker.cpuMs()) - before) / orders, captures: captures / orders };
}

const agent = new http.Agent({ keepAlive: true });

/** The milliseconds until the last byte. `fetch` would take more of the cores than the Worker. */
function timed(worker, body) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const headers = { "content-length": body.length };
    const request = http.request(`${worker.url()}/calculatecost4`, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.once("end", () =>
        response.statusCode === 200 ? resolve(performance.now() - begun) : reject(new Error(`${response.statusCode}`)),
      );
    });
    request.once("error", reject);
    request.end(body);
  });
}

async function until(time) {
  while (performance.now() < time)
    await new Promise((resolve) => (time - performance.now() > 2 ? setTimeout(resolve, 1) : setImmediate(resolve)));
}
