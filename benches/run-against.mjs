// Compares this checkout with another one that is built: both price the same orders with the same catalogue, in turn.
//   node benches/run-against.mjs <work folder> <other checkout> <products> <seconds per measure> <rounds>
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify, styleText } from "node:util";
import { BRANCHES, codeIn, runData, writePrices } from "./edge/index.js";
import { inTurn, median } from "./measure/index.js";

const [folder = "", other = "", products, seconds, rounds] = process.argv.slice(2);
const HERE = fileURLToPath(new URL("..", import.meta.url));
const WORK = fileURLToPath(new URL("against/work.mjs", import.meta.url));
const MEASURES = {
  constant: "calculateJson, a host that answers a constant",
  catalogue: "calculateJson, the catalogue",
  now: "calculateJsonNow, or calculateJson without it",
  nowOne: "the same, one line",
  lean: "floats by hand, bytes to bytes",
  leanOne: "the same, one line",
  wrapped: "calculateJson, the catalogue behind a function",
  service: "the service in its process",
  http: "the service behind HTTP",
  keyed: "the same with keys, metrics, receipts and log",
  workerd: "the service in workerd",
};

const figure = (value, digits) => value.toFixed(digits).padStart(8);

const catalogue = await publish();
const checkouts = { there: other, here: HERE };
/** @typedef {{ us: number, answer: string, cachedBytes: number, rss: number }} Sample */
/** @type {Record<string, { there: Sample[], here: Sample[] }>} */
const found = Object.fromEntries(Object.keys(MEASURES).map((name) => [name, { there: [], here: [] }]));
for (let round = 0; round < Number(rounds); round += 1) {
  for (const name of Object.keys(MEASURES)) {
    for (const side of inTurn(Object.keys(checkouts), round)) found[name][side].push(await measured(checkouts[side], name));
    const [there, here] = [found[name].there, found[name].here].map((samples) => samples[round].answer);
    if (there !== here) throw new Error(`${name}: other answers\n${there}\n${here}`);
    const [before, now] = [found[name].there, found[name].here].map((samples) => samples[round].us);
    console.log(`round ${round + 1}: ${name}: ${figure(before, 1)} ${figure(now, 1)}`);
  }
}
report();

/** Publishes a catalogue of one price for each product at each branch, and returns its folder. */
async function publish() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [prices, version, store] = ["prices.csv", "version", "store"].map((name) => join(folder, name));
  writePrices(prices, Number(products), true);
  writeFileSync(
    join(folder, "shop.json"),
    JSON.stringify({ branchId: BRANCHES[0], firstCode: codeIn(products, 0), products: Number(products) }),
  );
  await runData("build", "--prices", prices, "--no-zones", "--out", version);
  await runData("push", version, "--dir", store);
  const { id } = JSON.parse(readFileSync(join(version, "manifest.json"), "utf8"));
  await runData("activate", id, "--dir", store);
  return store;
}

async function measured(checkout, name) {
  const { stdout } = await promisify(execFile)(process.execPath, [WORK, checkout, catalogue, name, seconds], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n{") + 1));
}

function reportMemory(title, name, of) {
  const { there, here } = found[name];
  const [before, now] = [there, here].map((side) => median(side.map(of)));
  console.log(`${title.padEnd(50)}${figure(before, 2)} ${figure(now, 2)} ${figure(now / before, 2)}`);
}

/** Floats may differ from what is exact by less than a satang. */
function inSatang(answer) {
  return answer.replaceAll(/\d+\.\d+/g, (number) => Number(number).toFixed(2));
}

function reportLean(exact, lean) {
  const [ours, theirs] = [found[exact].here, found[lean].here];
  if (inSatang(ours[0].answer) !== inSatang(theirs[0].answer)) throw new Error(`${lean} answers ${theirs[0].answer}`);
  const ratio = median(ours.map(({ us }, round) => us / theirs[round].us));
  console.log(`${`${MEASURES[exact]}, to floats`.padEnd(68)}${figure(ratio, 2)}`);
}

function report() {
  const shards = join(catalogue, "shard");
  const texts = readdirSync(shards).reduce((sum, file) => sum + readFileSync(join(shards, file)).length, 0);
  console.log(styleText("bold", `\n${"CPU µs an order, 20 random lines".padEnd(50)}   there     here    ratio`));
  for (const [name, title] of Object.entries(MEASURES)) {
    const { there, here } = found[name];
    const ratio = median(here.map(({ us }, round) => us / there[round].us));
    const [before, now] = [there, here].map((side) => median(side.map(({ us }) => us)));
    console.log(`${title.padEnd(50)}${figure(before, 1)} ${figure(now, 1)} ${figure(ratio, 2)}`);
  }
  reportLean("now", "lean");
  reportLean("nowOne", "leanOne");
  reportMemory("prices in memory, to their texts", "catalogue", ({ cachedBytes }) => cachedBytes / texts);
  reportMemory("RSS after all products, MiB", "catalogue", ({ rss }) => rss / 2 ** 20);
  reportMemory("the same of the service", "service", ({ rss }) => rss / 2 ** 20);
  reportMemory("the same of workerd", "workerd", ({ rss }) => rss / 2 ** 20);
}
