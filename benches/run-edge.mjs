// What an order costs at the edge, and what publishing costs: the Worker as it is deployed, with stores and services that
// are as slow as real ones.
//   node benches/run-edge.mjs <work folder> <result file> <products a branch to publish> <seconds per load> <rounds>
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BRANCHES, buildVersion, orderOf, runData, startIsolates, textsOf, writePrices } from "./edge/index.js";
import { median, quantile } from "./measure/index.js";
import { loadShop } from "./node/index.js";

const [folder, resultFile, products, seconds, rounds] = process.argv.slice(2);
const ZONES = fileURLToPath(new URL("../worker/seed/zones.json", import.meta.url));
const PRODUCTS = 20_000;
const COLD_ISOLATES = 15;
const WARM_ORDERS = 200;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const orders = await measureOrders();
const publishing = await measurePublishing(Number(products));
const shop = await loadShop([20, 200], Number(seconds), Number(rounds));
writeFileSync(resultFile, JSON.stringify({ ...orders, publishing, shop }));

async function measureOrders() {
  const prices = join(folder, "prices.csv");
  writePrices(prices, PRODUCTS, false);
  await buildVersion(prices, join(folder, "version"));
  const isolates = await startIsolates(COLD_ISOLATES + 1, await textsOf(join(folder, "version")));
  try {
    console.log("first orders of an isolate");
    const cold = [];
    for (let index = 0; index < COLD_ISOLATES; index += 1) cold.push(await isolates.price(index, orderOf(20, PRODUCTS)));
    console.log("orders of a warm isolate");
    const price = (lines, turn) => isolates.price(COLD_ISOLATES, orderOf(lines, PRODUCTS, turn));
    for (let turn = 0; turn < BRANCHES.length; turn += 1) await price(5_000, turn);
    for (let turn = 0; turn < WARM_ORDERS; turn += 1) await price(20, turn);
    await isolates.counts();
    const warm = [];
    for (let turn = 0; turn < WARM_ORDERS; turn += 1) warm.push(await price(20, WARM_ORDERS + turn));
    const { reads } = await isolates.counts();
    return { cold: median(cold), warm: { p50: median(warm), p99: quantile(warm, 0.99) }, warmReads: reads };
  } finally {
    await isolates.stop();
  }
}

/** An operator's two commands for a catalogue of five branches. The version stays in the folder `large`. */
async function measurePublishing(products) {
  const file = (name) => join(folder, name);
  writePrices(file("large.csv"), products, false);
  console.log(`building ${(products * BRANCHES.length).toLocaleString("en")} records`);
  const built = await runData("build", "--prices", file("large.csv"), "--zones", ZONES, "--out", file("large"));
  console.log("pushing them");
  const pushed = await runData("push", file("large"), "--persist-to", file("store"));
  return { records: products * BRANCHES.length, build: built, push: pushed };
}
