// Requests per second in workerd on loopback: first with the facts in the isolate, then with KV and the services.
//   node benches/run-workerd.mjs <work folder> <result file> <seconds per load> <rounds>
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPricer } from "order-cost";
import { interleave, load, loadShop, startWorkerd } from "./node/index.js";
import { FILLER, facts, fillerFor, readyHost, work, zonesText } from "./orders/index.js";

const PATH = "/calculatecost4";
const SIZES = [200, 20];
/** In the sequence of their turns. */
const WORKERS = ["priced", "echo", "filled", "decimal", "fixed"];

const [folder, resultFile, seconds, rounds] = process.argv.slice(2);

const sets = SIZES.map((lines) => ({ lines, items: work(lines) }));
const results = { samples: {} };

await held();
results.shop = await loadShop(SIZES, Number(seconds), Number(rounds));
writeFileSync(resultFile, JSON.stringify(results));

async function held() {
  const orders = sets.flatMap(({ items }) => items.map(({ order }) => order));
  const pricer = await createPricer(readyHost, { deliveryZones: zonesText() });
  const workerd = await startWorkerd(WORKERS, { folder: join(folder, "workerd"), facts: facts(orders) });
  try {
    for (const { lines, items } of sets) {
      const requests = await Promise.all(items.map((item) => requestOf(pricer, item)));
      await verify(workerd, requests);
      console.log(`${lines} lines: loading workerd`);
      const loads = WORKERS.map((name) => [name, () => load(workerd.url(name) + PATH, requests, Number(seconds))]);
      results.samples[lines] = await interleave(Object.fromEntries(loads), Number(rounds));
    }
  } finally {
    await workerd.stop();
  }
}

/** Every Worker gets the same request; some do not read the header. */
async function requestOf(pricer, { body, answers }) {
  const priced = Buffer.from(await pricer.calculateJson(body, { context: answers }));
  return { body, headers: { [FILLER]: fillerFor(body, priced.length) }, priced };
}

/**
 * Checks that the two pricing Workers answer what calculateJson gives, that `echo` answers its body, and that `filled`
 * answers as many bytes as the pricing ones.
 */
async function verify(workerd, requests) {
  for (const { body, headers, priced } of requests) {
    const order = body.subarray(0, -1);
    const checks = {
      priced: (bytes) => bytes.equals(priced),
      decimal: (bytes) => bytes.equals(priced),
      echo: (bytes) => bytes.equals(body),
      filled: (bytes) => bytes.length === priced.length && bytes.subarray(0, order.length).equals(order),
    };
    for (const [name, isRight] of Object.entries(checks)) {
      const response = await fetch(workerd.url(name) + PATH, { method: "POST", body, headers });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!isRight(bytes)) throw new Error(`${name} in workerd gives another response: ${bytes.subarray(0, 300)}`);
    }
  }
}
