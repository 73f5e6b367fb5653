// What an order takes in an isolate that serves some of a chain's branches: from KV alone, and with the Cache API before it.
//   node benches/run-branches.mjs <result file> <products a branch> <batches of 60 orders>
import { writeFileSync } from "node:fs";
import { randomFrom } from "../tests/model/generator/random.js";
import { startAlone } from "../tests/worker/alone.js";
import { outsideOf } from "../tests/worker/largest-order.js";
import { bundle } from "../tests/worker/workerd.js";
import { defaults } from "../worker/src/options/index.js";
import { price, randomOrder, textsOfChain } from "./edge/index.js";

const [resultFile, ...counts] = process.argv.slice(2);
const [products, batches] = counts.map(Number);
const ORDERS = 60 * batches;
const BRANCHES = 400;

/**
 * The shops. With other prices at each branch the texts of 400 branches would be 4 GB, so there are fewer branches and, in
 * the same ratio, less memory for texts.
 */
const SHOPS = [
  { prices: "equal", own: 0, branches: BRANCHES },
  { prices: "95 % equal", own: 0.05, branches: BRANCHES },
  { prices: "unequal", own: 1, branches: 20 },
];
const SERVED = [1, 5, BRANCHES];

/** The memory of an isolate. */
const HEAP = ["--max-heap-size=128"];

const app = await bundle("tests/hostile/wrangler.jsonc");
const rows = [];
for (const shop of SHOPS) {
  const scale = shop.branches / BRANCHES;
  const texts = await textsOfChain({ ...shop, products });
  for (const served of SERVED) {
    for (const hasCache of [false, true]) {
      console.log(`${served} branches an isolate, ${shop.prices} prices, ${hasCache ? "Cache API before KV" : "KV alone"}`);
      const branches = Math.min(served, shop.branches);
      const cacheBytes = served === BRANCHES ? Math.round(defaults().CACHE_BYTES * scale) : defaults().CACHE_BYTES;
      rows.push({ prices: shop.prices, served, hasCache, ...(await measure(texts, { branches, cacheBytes, hasCache })) });
    }
  }
}
writeFileSync(resultFile, JSON.stringify({ products, branches: BRANCHES, rows }));

async function measure(texts, { branches, cacheBytes, hasCache }) {
  const sized = { ...app, bindings: { ...app.bindings, CACHE_BYTES: `${cacheBytes}` } };
  const workerd = await startAlone(sized, outsideOf(texts), { hasCache, v8Flags: HEAP });
  try {
    const random = randomFrom(7);
    const next = () => price(workerd, JSON.stringify(randomOrder(random, { branches, products })));
    for (let order = 0; order < warmUp(branches, hasCache); order += 1) await next();
    workerd.asked();
    const before = await workerd.cpuMs();
    for (let order = 0; order < ORDERS; order += 1) await next();
    const { keys, cached, bytes } = workerd.asked();
    const cpu = (await workerd.cpuMs()) - before;
    const of = (sum) => sum / ORDERS;
    return { keys: of(keys), cached: of(cached), bytes: of(bytes), cpuMs: of(cpu), memory: await workerd.memory() };
  } finally {
    await workerd.stop();
  }
}

/** As many orders as fill the isolate's memory, or the cache near it. */
function warmUp(branches, hasCache) {
  return branches > 5 && hasCache ? 6_000 : 300 * Math.min(branches, 3);
}
