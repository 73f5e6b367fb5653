// Publishes the seed in the stores of a local `wrangler dev`, as an operator publishes prices: a version that is built,
// pushed and activated. What somebody else has activated since stays in use, if it has a product. Writes which version is
// in use, and an order that it can price, to sample.json of the folder.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layersOf, recordsOf, shardKey, shardsIn, TOMBSTONE } from "order-cost/internal";
import { Fault, Terminal } from "../../worker/command-line/index.js";
import { build } from "../../worker/data/build/index.js";
import { LOCAL_STATE, openStore, push } from "../../worker/data/store/index.js";
import { activate, readCurrent, readTexts, recordCount } from "../../worker/data/versions/index.js";

/**
 * @typedef {import("../../worker/data/store/store.js").Store} Store
 * @typedef {import("../../worker/data/versions/version.js").Current} Current
 */

const REGULAR = new URL("../../worker/seed/orders/regular.json", import.meta.url);

/**
 * @param {string[]} args the folder that `worker/seed/generate.mjs --data` wrote, and maybe the folder of the stores
 * @param {import("../../worker/command-line/surroundings.js").Surroundings} surroundings
 * @returns {Promise<number>} the exit code
 */
export async function main([folder, persistTo = LOCAL_STATE], surroundings) {
  const terminal = new Terminal(surroundings);
  /** @param {string} name */
  const file = (name) => join(folder, name);
  const out = file("catalogue");
  const progress = terminal.progressBar.bind(terminal);
  /** @type {import("../../worker/data/input/build-input.js").Report} */
  const report = { fault: (text) => terminal.console.error(text), notice: () => {}, progress };
  try {
    const version = await build({ prices: file("prices.csv"), zones: file("zones.geojson"), out }, ontoNothing, report);
    if (!version) throw new Fault("The seed has faults");
    const seed = { id: version.manifest.id, file, out, persistTo, report };
    writeFileSync(file("sample.json"), JSON.stringify(await within(persistTo, "CATALOGUE", (store) => start(store, seed))));
    return 0;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    terminal.console.error(error.message);
    return 1;
  }
}

/** The seed brings its own prices and zones. */
const ontoNothing = () => Promise.reject(new Error("The seed was built onto a version"));

/**
 * Which version is in use, and what it can price. Publishes the seed first, unless it has been.
 * @param {Store} store
 * @param {object} seed
 * @param {string} seed.id
 * @param {(name: string) => string} seed.file
 * @param {string} seed.out the folder of its version
 * @param {string} seed.persistTo the folder of the stores
 * @param {import("../../worker/data/input/build-input.js").Report} seed.report
 */
async function start(store, { id: seedId, file, out, persistTo, report }) {
  const stamp = join(persistTo, "seeded"); // the id of the seed that the stores have
  const seeded = readStamp(stamp);
  const found = await readCurrent(store);
  const isEmpty = !found || recordCount(found) === 0;
  if (isEmpty || seeded !== seedId) {
    await within(persistTo, "VOUCHERS", (vouchers) => vouchers.put(readJson(file("vouchers.json"))));
    await push(store, out, report);
    if (isEmpty || found.id === seeded) await activate(store, seedId);
    mkdirSync(persistTo, { recursive: true });
    writeFileSync(stamp, seedId);
  }
  const current = /** @type {Current} */ (await readCurrent(store)); // there is one now
  const isSeed = current.id === seedId;
  return { version: current.id, isSeed, order: isSeed ? readJson(REGULAR) : await orderOfOne(store, current) };
}

/**
 * One product at a branch that has a price for it.
 * @param {Store} store
 * @param {Current} current
 */
async function orderOfOne(store, current) {
  /** @param {string[]} keys */
  const read = (keys) => readTexts(store, keys);
  const [[branchId]] = Object.entries(current.branches).filter(([, { records }]) => records > 0);
  const layers = await layersOf(current, branchId, read);
  // The newest layer's records are in force.
  for (const key of layers.flatMap(shardsIn).filter(Boolean).map(shardKey)) {
    const [text] = (await read([key])).values();
    const found = recordsOf(text).find(({ record }) => record !== TOMBSTONE);
    if (found) return { branchId, productList: [{ cprcode: found.cprcode, productName: `Product ${found.cprcode}`, quantity: 1 }] };
  }
  throw new Fault(`no record of ${branchId} can be found, but ${current.id} says that there are some`);
}

/**
 * @template T
 * @param {string} persistTo
 * @param {string} binding
 * @param {(store: Store) => Promise<T>} run
 */
async function within(persistTo, binding, run) {
  const store = await openStore({ binding, persistTo });
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

/** @param {string | URL} name */
function readJson(name) {
  return JSON.parse(readFileSync(name, "utf8"));
}

/** @param {string} stamp */
function readStamp(stamp) {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined; // nothing was seeded here yet
  }
}
