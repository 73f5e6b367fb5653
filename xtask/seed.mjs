// Publishes the seed in the stores of a local `wrangler dev`, as an operator publishes prices: a version that is built,
// pushed and activated. What somebody else has activated since stays in use.
//   node xtask/seed.mjs <folder that `worker/seed/generate.mjs --data` wrote>
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { activate } from "../worker/data/activate.js";
import { build } from "../worker/data/build.js";
import { progressBar } from "../worker/data/progress.js";
import { push } from "../worker/data/push.js";
import { openStore } from "../worker/data/store.js";
import { readCurrent } from "../worker/data/version.js";

const folder = process.argv[2];
const file = (name) => join(folder, name);
const out = file("catalogue");
const report = { fault: (text) => console.error(text), notice: () => {}, progress: progressBar };

const version = await build({ prices: file("prices.csv"), zones: file("zones.geojson"), out }, undefined, report);
if (!version) throw new Error("The seed has faults");

/** The id of the seed that the stores have. */
const stamp = fileURLToPath(new URL("../worker/.wrangler/state/seeded", import.meta.url));
const seeded = readStamp();
if (seeded !== version.id) {
  await fill("VOUCHERS", (store) => store.put(JSON.parse(readFileSync(file("vouchers.json"), "utf8"))));
  await fill("CATALOGUE", async (store) => {
    await push(store, out, report);
    const current = await readCurrent(store);
    if (!current || current.id === seeded) await activate(store, version.id);
  });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, version.id);
}

async function fill(binding, run) {
  const store = await openStore({ binding });
  try {
    await run(store);
  } finally {
    await store.close();
  }
}

function readStamp() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined; // nothing was seeded here yet
  }
}
