// Which size of a shard serves best: orders and publishing with shards of several sizes, in catalogues of two sizes.
//   node benches/run-layout.mjs <work folder> <result file> <shard sizes in KiB, with commas> <products of each catalogue, with commas>
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BRANCHES, buildVersion, orderOf, runData, startIsolates, textsOf, writePrices } from "./edge/index.js";
import { median } from "./measure/index.js";

const [folder, resultFile, sizes, catalogues] = process.argv.slice(2);
const LINES = [20, 200, 5_000];
/** Isolates for each number of lines: each has one first order. */
const ISOLATES = 5;
const WARM_ORDERS = 100;

const results = [];
for (const products of catalogues.split(",").map(Number)) {
  for (const isEqual of [false, true]) results.push(...(await measureCatalogue(products, isEqual)));
}
writeFileSync(resultFile, JSON.stringify(results));

async function measureCatalogue(products, isEqual) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const prices = join(folder, "prices.csv");
  writePrices(prices, products, isEqual);
  const rows = [];
  for (const kibibytes of sizes.split(",").map(Number)) {
    console.log(`${products} products, ${isEqual ? "equal" : "unequal"} prices, shards of ${kibibytes} KiB`);
    const out = join(folder, `${kibibytes}`);
    await buildVersion(prices, out, kibibytes * 1_024);
    const published = await push(out);
    rows.push({ products, isEqual, kibibytes, ...published, ...(await measureOrders(out, products)) });
    rmSync(out, { recursive: true });
  }
  return rows;
}

async function push(out) {
  const store = join(out, "store");
  const { seconds } = await runData("push", out, "--persist-to", store);
  rmSync(store, { recursive: true });
  return { seconds, manifestBytes: statSync(join(out, "manifest.json")).size };
}

async function measureOrders(out, products) {
  const texts = await textsOf(out);
  const shards = [...texts].filter(([key]) => key.startsWith("shard:"));
  const bytes = shards.reduce((sum, [, text]) => sum + text.length, 0);
  const isolates = await startIsolates(LINES.length * ISOLATES, texts);
  try {
    const cold = {};
    let isolate = 0;
    for (const lines of LINES) {
      const times = [];
      const before = memory();
      await isolates.counts();
      for (let turn = 0; turn < ISOLATES; turn += 1) times.push(await isolates.price(isolate++, orderOf(lines, products)));
      const { keys, bytes } = await isolates.counts();
      // One key is `current`.
      cold[lines] = { ms: median(times), shards: keys / ISOLATES - 1, bytes: bytes / ISOLATES, grown: (memory() - before) / ISOLATES };
    }
    const warm = [];
    for (let turn = 0; turn < WARM_ORDERS; turn += 1) {
      // The last isolate has the shards of branch 1000 that 5,000 lines need.
      warm.push(await isolates.price(isolate - 1, { ...orderOf(20, products, turn), branchId: BRANCHES[0] }));
    }
    return { shards: shards.length, bytes, cold, warm: median(warm.slice(WARM_ORDERS / 2)) };
  } finally {
    await isolates.stop();
  }
}

/** The resident memory of workerd in bytes; NaN where the system does not show it. */
function memory() {
  try {
    const pids = execFileSync("pgrep", ["-P", `${process.pid}`, "workerd"], { encoding: "utf8" })
      .trim()
      .split("\n");
    const resident = (pid) => 1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    return Math.max(...pids.map(resident));
  } catch {
    return NaN;
  }
}
