// Captured orders on a Spark cluster of two executors, beside two plain processes over halves, in turn.
//   node benches/run-spark.mjs <folder> <orders> <products a branch> <rounds> [--write]
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { COMMAND, PROGRAM, submit } from "../tests/spark/cluster.js";
import { writeImpactCase } from "./impact/index.js";
import { median } from "./measure/index.js";
import { figure, higher, missedText, table, targetTable, writeFigures } from "./text/index.js";

const [folder, ...options] = process.argv.slice(2);
const [orders, products, rounds] = options.map(Number);
const OBJECTS = 8;
const PARTS = 4;
const PROCESSES = 2;
const BILLION = 1e9;
const GIGA = 1e9;
const HOUR = 3_600;
/** What a process of one thread is given, in GB: the least that Fargate has for a vCPU is 2. */
const GB = 2;
const { prices } = JSON.parse(readFileSync(new URL("impact/prices.json", import.meta.url), "utf8"));

const CHANGE = ["--catalogue", join(folder, "new"), "--zones-dir", join(folder, "captures/zones")];

await rm(folder, { recursive: true, force: true });
await writeImpactCase(folder, { orders, products });
await run("sh", ["-c", `mkdir objects && split -n l/${OBJECTS} --filter='gzip > objects/$FILE.ndjson.gz' captures/orders.ndjson ''`]);
const objects = readdirSync(join(folder, "objects")).map((name) => join(folder, "objects", name));
const bytes = objects.reduce((sum, object) => sum + statSync(object).size, 0) / orders;
const samples = [];
for (let round = 0; round < rounds; round += 1) samples.push({ ...(await plain()), ...(await onSpark()) });
await rm(folder, { recursive: true });

const whole = (number) => Math.round(number).toLocaleString("en");
const middle = (name) => median(samples.map((sample) => sample[name]));
const ratio = median(samples.map(({ plain, spark }) => plain / spark));
const perCore = orders / middle("plain") / PROCESSES;
const machine = `${os.cpus()[0].model}, ${os.cpus().length} cores; ${os.platform()} ${os.arch()}; Node ${process.versions.node}. ${whole(orders)} captures of 20 lines in ${OBJECTS} objects, ${figure(bytes / 1_000)} kB a capture, packed; medians of ${rounds}.`;
console.log(`\n${[machine, targetTable(targets()), times(), cost()].join("\n\n")}`);
const planned = `${whole(orders)} captures, ${PROCESSES} processes of one thread: ${whole(perCore)} orders a second a core; on Spark ${figure(ratio)} of that, after a start of ${figure(middle("started"))} s. ${missedText(targets())} ${cost()}`;
if (options.includes("--write")) writeFigures(fileURLToPath(new URL("../CAPACITY.md", import.meta.url)), planned, "spark");

/** Two processes, each over half of the objects. The sum of what they count is what Spark's report is compared with. */
async function plain() {
  const start = performance.now();
  const halves = [objects.slice(0, OBJECTS / PROCESSES), objects.slice(OBJECTS / PROCESSES)];
  const counted = halves.map((half, at) => command("impact", ...half, "--threads", "1", ...CHANGE, "--tally", join(folder, `${at}.json`)));
  await Promise.all(counted);
  return { plain: secondsSince(start) };
}

/** The work is the job: Spark has started and both executors are there. */
async function onSpark() {
  const start = performance.now();
  const named = ["--parts", `${PARTS}`, "--command", `${process.execPath} ${COMMAND}`, "--merge=--format json"];
  const { code, stdout, log } = await submit(folder, [PROGRAM, join(folder, "objects/*"), ...CHANGE, ...named]);
  const job = /Job 0 finished: .* took ([\d.]+) ms/.exec(log);
  if (code !== 0 || job === null) throw new Error(log);
  if (stdout !== (await command("merge", join(folder, "0.json"), join(folder, "1.json"), "--format", "json"))) {
    throw new Error("Spark's report is not that of the two processes");
  }
  const spark = Number(job[1]) / 1_000;
  return { spark, started: secondsSince(start) - spark };
}

function command(...args) {
  return run(process.execPath, [COMMAND, ...args]);
}

async function run(program, args) {
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, maxBuffer: 2 ** 24 });
  return stdout;
}

function secondsSince(start) {
  return (performance.now() - start) / 1_000;
}

function targets() {
  return [higher("Spark, 2 executors of one core, to 2 plain processes over halves", 0.6, 0.85, { measured: ratio })];
}

function times() {
  const seconds = (name) => [`${figure(middle(name))} s`, samples.map((sample) => figure(sample[name])).join(", ")];
  return table(
    ["what", "median", "each"],
    [
      ["two plain processes", ...seconds("plain")],
      ["Spark, the job", ...seconds("spark")],
      ["Spark, its start, end and merge", ...seconds("started")],
    ],
  );
}

/** Nobody has run it. */
function cost() {
  const coreHours = BILLION / perCore / ratio / HOUR;
  const gigabytes = (BILLION * bytes) / GIGA;
  const counted = coreHours * (prices.coreHour.price + GB * prices.gbHour.price);
  return `Computed, on Spark: a billion orders take ${whole(coreHours)} hours of a core with ${GB} GB, ${figure(counted)} USD, and ${whole(gigabytes)} GB of objects, ${figure(gigabytes * prices.gbMonth.price)} USD a month.`;
}
