// What it takes to tell the impact of a change on captured orders: time, and the memory of the whole process.
//   node benches/run-impact.mjs <folder> <orders> <products a branch> [--write]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeImpactCase } from "./impact/index.js";
import { figure, lower, missedText, table, targetTable, writeFigures } from "./text/index.js";

const [folder, ...options] = process.argv.slice(2);
const [orders, products] = options.map(Number);
const COMMAND = fileURLToPath(new URL("cli.js", import.meta.resolve("order-cost/package.json")));
const MIB = 2 ** 20;
const LOOK_MS = 20;

/** What is new in each run. */
const RUNS = [
  ["nothing", ["--catalogue", join(folder, "same")]],
  ["every price, every fee", ["--catalogue", join(folder, "new")]],
  ["every price, every fee, the policy", ["--catalogue", join(folder, "new"), "--policy", "freeShipping=waivesDelivery"]],
];

await rm(folder, { recursive: true, force: true });
await writeImpactCase(folder, { orders, products });
const { size } = await stat(join(folder, "captures/orders.ndjson"));
const rows = [];
for (const [what, args] of RUNS) rows.push({ what, ...(await measure(args)) });
await rm(folder, { recursive: true });

const whole = (number) => number.toLocaleString("en");
const slowest = (pick) => Math.max(...rows.map(pick));
const machine = `${os.cpus()[0].model}, ${os.cpus().length} cores; ${os.platform()} ${os.arch()}; Node ${process.versions.node}. ${whole(orders)} captures of 20 lines, with both answers ${figure(size / orders / 1_000)} kB each; five branches of ${whole(products)} products.`;
console.log(`\n${[machine, targetTable(targets(), { what: "the slowest run" }), runTable()].join("\n\n")}`);
const planned = `${whole(orders)} captures, the slowest run: ${figure(slowest(({ seconds }) => seconds))} s, ${figure(slowest(({ peak }) => peak) / MIB)} MiB. ${missedText(targets())}`;
if (options.includes("--write")) writeFigures(fileURLToPath(new URL("../CAPACITY.md", import.meta.url)), planned, "impact");

/** Runs the command. The peak is that of the process, with its threads. */
async function measure(args) {
  const start = performance.now();
  const command = spawn(process.execPath, [COMMAND, "impact", join(folder, "captures"), ...args, "--format", "json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => command.once("close", resolve));
  command.stdout.resume();
  let peak = 0;
  let cpuMs = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(command.pid) ?? 0);
    cpuMs = Math.max(cpuMs, cpuOf(command.pid) ?? 0);
  }, LOOK_MS);
  const code = await ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`order-cost impact ended with ${code}`);
  return { seconds: (performance.now() - start) / 1_000, peak, cpuMs };
}

/** In bytes; undefined where there is no /proc, or the process has ended. */
function peakOf(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(textAt(`/proc/${pid}/status`)) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
}

/** Linux counts hundredths of a second. */
function cpuOf(pid) {
  const fields = textAt(`/proc/${pid}/stat`).split(") ")[1]?.split(" ");
  return fields && 10 * (Number(fields[11]) + Number(fields[12]));
}

function textAt(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function targets() {
  return [
    lower(`seconds for ${whole(orders)} orders of 20 lines`, 60, 20, { measured: slowest(({ seconds }) => seconds) }, " s"),
    lower("memory of the process", 512, 256, { measured: slowest(({ peak }) => peak) / MIB }, " MiB"),
  ];
}

function runTable() {
  const shown = rows.map(({ what, seconds, cpuMs, peak }) => [
    what,
    `${figure(seconds)} s`,
    whole(Math.round(orders / seconds)),
    `${figure((1_000 * cpuMs) / orders)} µs`,
    `${figure(peak / MIB)} MiB`,
  ]);
  return table(["what is new", "time", "orders a second", "CPU time of an order", "memory of the process"], shown);
}
