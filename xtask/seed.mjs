// Publishes the seed in the stores of a local `wrangler dev`, as an operator publishes prices: a version that is built,
// pushed and activated. What somebody else has activated since stays in use, if it has a product. Writes which version is
// in use, and an order that it can price, to sample.json of the folder.
//   node xtask/seed.mjs <folder that `worker/seed/generate.mjs --data` wrote> [folder of the stores]
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { activate } from "../worker/data/activate.js";
import { build } from "../worker/data/build.js";
import { Fault } from "../worker/data/fault.js";
import { push } from "../worker/data/push.js";
import { openStore } from "../worker/data/store.js";
import { processSurroundings } from "../worker/data/surroundings.js";
import { Terminal } from "../worker/data/terminal.js";
import { readCurrent, readTexts, recordCount } from "../worker/data/version.js";
import { TOMBSTONE, recordsOf } from "../pkg/catalogue/format.js";
import { shardKey } from "../pkg/catalogue/keys.js";
import { shardsIn } from "../pkg/catalogue/layer.js";
import { layersOf } from "../pkg/catalogue/records.js";

const [folder, persistTo = fileURLToPath(new URL("../worker/.wrangler/state", import.meta.url))] = process.argv.slice(2);
const file = (name) => join(folder, name);
const out = file("catalogue");
const terminal = new Terminal(processSurroundings());
const report = { fault: (text) => console.error(text), notice: () => {}, progress: (...bar) => terminal.progressBar(...bar) };

/** The id of the seed that the stores have. */
const stamp = join(persistTo, "seeded");
const REGULAR = new URL("../worker/seed/orders/regular.json", import.meta.url);

try {
  const version = await build({ prices: file("prices.csv"), zones: file("zones.geojson"), out }, undefined, report);
  if (!version) throw new Fault("The seed has faults");
  writeFileSync(file("sample.json"), JSON.stringify(await within("CATALOGUE", (store) => start(store, version.manifest.id))));
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Which version is in use, and what it can price. Publishes the seed first, unless it has been. */
async function start(store, seedId) {
  const seeded = readStamp();
  const found = await readCurrent(store);
  const isEmpty = !found || recordCount(found) === 0;
  if (isEmpty || seeded !== seedId) {
    await within("VOUCHERS", (vouchers) => vouchers.put(readJson(file("vouchers.json"))));
    await push(store, out, report);
    if (isEmpty || found.id === seeded) await activate(store, seedId);
    mkdirSync(persistTo, { recursive: true });
    writeFileSync(stamp, seedId);
  }
  const current = await readCurrent(store);
  const isSeed = current.id === seedId;
  return { version: current.id, isSeed, order: isSeed ? readJson(REGULAR) : await orderOfOne(store, current) };
}

/** One product at a branch that has a price for it. */
async function orderOfOne(store, current) {
  const read = (keys) => readTexts(store, keys);
  const [branchId] = Object.entries(current.branches).find(([, { records }]) => records > 0);
  const layers = await layersOf(current, branchId, read);
  // The newest layer's records are in force.
  for (const key of layers.flatMap(shardsIn).filter(Boolean).map(shardKey)) {
    const found = recordsOf((await read([key])).get(key)).find(({ record }) => record !== TOMBSTONE);
    if (found) return { branchId, productList: [{ cprcode: found.cprcode, productName: `Product ${found.cprcode}`, quantity: 1 }] };
  }
  throw new Fault(`no record of ${branchId} can be found, but ${current.id} says that there are some`);
}

async function within(binding, run) {
  const store = await openStore({ binding, persistTo });
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

function readJson(name) {
  return JSON.parse(readFileSync(name, "utf8"));
}

function readStamp() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined; // nothing was seeded here yet
  }
}
