// An operator's day at a chain: 8,000,000 rows are published to a stand-in of Cloudflare's API with its documented limits,
// prices change every hour, a change is taken back, and unused data is deleted.
//   node benches/run-walk.mjs <working folder> <result file> <branches> <products> <share of prices that are a branch's own>
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONFIG, startCloudflare } from "../tests/data/cloudflare.js";

const [work, resultFile, ...shop] = process.argv.slice(2);
const [branches, products, own] = shop.map(Number);
const COMMAND = fileURLToPath(new URL("edge/command.mjs", import.meta.url));
const FIRST_CODE = 110_000;
const CHANGED = 0.01;

mkdirSync(work, { recursive: true });
const config = join(work, "wrangler.jsonc");
writeFileSync(config, CONFIG);
const cloudflare = await startCloudflare();
const remote = { remote: true, env: "staging", config };
const limits = { maxChange: 30, maxRemoved: 5 };
const rows = [];

try {
  await walk();
} finally {
  await cloudflare.stop();
}
writeFileSync(resultFile, JSON.stringify({ branches, products, own, rows }));

async function walk() {
  const all = join(work, "prices.csv");
  writePrices(all, 0);
  const first = await publish("the whole catalogue", { prices: all, zones: false }, "first");
  const hourly = [];
  for (let hour = 1; hour <= 3; hour += 1) {
    const change = join(work, "change.csv");
    writePrices(change, hour);
    hourly.push(await publish(`hourly change ${hour}: ${CHANGED * 100} % of the products`, { prices: change, onto: true }, `hour-${hour}`));
  }
  await run("rollback", "rollback", remote);
  await run("rollback, one further", "rollback", remote);
  await Promise.all([run("gc, beside 24 activations", "gc", { ...remote, keep: 1 }), activations([hourly[2], hourly[1]], 24)]);
  if (!cloudflare.keys.has("current")) throw new Error(`${first} is lost`);
}

async function publish(what, options, name) {
  const out = join(work, name);
  const before = cloudflare.keys.size;
  await run(`${what}: build`, "build", { ...remote, ...options, out, cacheDir: join(work, "cache") });
  const pushed = await run("push", "push", remote, out);
  pushed.written = cloudflare.keys.size - before;
  pushed.there = cloudflare.keys.size;
  const [id] = [...cloudflare.keys.keys()].filter((key) => key.startsWith("version:")).slice(-1);
  await run("activate", "activate", { ...remote, ...limits, force: before > 0 && options.onto !== true }, id.slice("version:".length));
  return id.slice("version:".length);
}

/** Switches back and forth while something else is under way. */
async function activations(ids, count) {
  for (let turn = 0; turn < count; turn += 1) await command("activate", { ...remote, ...limits, force: true }, ids[turn % ids.length]);
}

/** Runs a command, and notes what it took. */
async function run(what, name, options, argument) {
  cloudflare.forget();
  const begunAt = performance.now();
  const { kilobytes, printed } = await command(name, options, argument);
  const row = {
    what,
    seconds: (performance.now() - begunAt) / 1000,
    requests: cloudflare.calls.length,
    bytes: cloudflare.counts.bytes,
    mebibytes: kilobytes / 1024,
  };
  rows.push(row);
  console.log(
    `${what}: ${row.seconds.toFixed(1)} s, ${row.requests} requests, ${(row.bytes / 1e6).toFixed(1)} MB, ${row.mebibytes.toFixed(0)} MiB`,
  );
  console.log(
    printed
      .trim()
      .split("\n")
      .map((line) => `    ${line}`)
      .join("\n"),
  );
  return row;
}

function command(name, options, argument) {
  const words = [COMMAND, name, JSON.stringify(options), ...(argument === undefined ? [] : [argument])];
  const child = spawn(process.execPath, words, { env: { ...process.env, ...cloudflare.env }, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  let told = "";
  child.stdout.on("data", (text) => (printed += text));
  child.stderr.on("data", (text) => (told += text));
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      const kilobytes = /maxRSS (\d+)/.exec(told)?.[1];
      if (code !== 0 || kilobytes === undefined) return reject(new Error(`data ${name}: ${told}${printed}`));
      resolve({ printed, kilobytes: Number(kilobytes) });
    });
  });
}

/** All rows, or in an hour those of the products that are repriced then. */
function writePrices(file, hour) {
  const out = openSync(file, "w");
  writeSync(out, "cprcode,branchId,price,weight\n");
  for (let place = 0; place < branches; place += 1) {
    let text = "";
    for (let index = 0; index < products; index += 1) {
      if (hour > 0 && (index + hour * 17) % Math.round(1 / CHANGED) !== 0) continue;
      text += `${FIRST_CODE + index},${1000 + place},${priceOf(index, place, hour)},${(1 + (index % 40)) / 10}\n`;
    }
    writeSync(out, text);
  }
  closeSync(out);
}

/** The price of all branches, or the branch's own. */
function priceOf(index, place, hour) {
  const isOwn = Math.imul(index + 1, 0x9e3779b1 + 2 * place) >>> 0 < own * 2 ** 32;
  const satang = 500 + ((index * 7919 + (isOwn ? (place + 1) * 104_729 : 0)) % 90_000);
  return (Math.round(satang * (1 + hour / 50)) / 100).toFixed(2);
}
