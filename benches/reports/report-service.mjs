// Reports what the service on Node does: all tables on stdout and, with --write, those that one plans with in CAPACITY.md.
//   node benches/reports/report-service.mjs <folder of results> [--write]
import { readFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../measure/index.js";
import { AXUM, FIXED, SERVICE } from "../service/index.js";
import { figure, higher, lower, missedText, table, targetTable, writeFigures } from "../text/index.js";

const [folder, option] = process.argv.slice(2);
const { products, started, memory, speed, switched, rolling } = JSON.parse(readFileSync(join(folder, "service.json"), "utf8"));

const MIB = 2 ** 20;
const whole = (number) => number.toLocaleString("en");
const kilobytes = (bytes) => `${figure(bytes / 1_000)} kB`;
const ms = (value) => `${figure(value)} ms`;

const machine = `${os.cpus()[0].model}, ${os.cpus().length} cores; ${os.platform()} ${os.arch()}; Node ${process.versions.node}. Five branches of ${whole(products)} products with equal prices; orders of 20 lines, ${kilobytes(speed.bodyBytes)} in and ${kilobytes(speed.answerBytes)} out.`;
const planned = [planTable(), `${missedText(targets())} ${stackText()}`].join("\n\n");
console.log(`\n${[machine, targetTable(targets()), speedTable(), switchTable(), rollingTable(), rest()].join("\n\n")}`);
if (option === "--write") writeFigures(fileURLToPath(new URL("../../CAPACITY.md", import.meta.url)), planned, "service");

/** The median of the ratios within the rounds. */
function ratio(what, of, to) {
  const { [of]: left, [to]: right } = speed.samples;
  return median(left.map((sample, round) => sample[what] / right[round][what]));
}

function targets() {
  const broken = rolling.reduce((sum, { lost, wrong }) => sum + lost + wrong, 0);
  const sent = rolling.reduce((sum, { sent }) => sum + sent, 0);
  const used = Math.max(memory.used, speed.memory) / MIB;
  return [
    higher("orders a second, 2 processes, to the HTTP server without orders", 0.5, 0.65, { measured: ratio("perSecond", SERVICE, FIXED) }),
    lower("p99 while a version is switched, to the median without a switch", 2.5, 2, {
      measured: median(switched.map(({ switching, steady }) => switching.p99 / steady.p50)),
    }),
    lower(`lost or wrong orders of ${whole(sent)} during restarts`, 0, 0, { measured: broken }),
    lower("start to the first priced order, 2 processes, median", 1, 0.3, { measured: median(started[2]) / 1_000 }, " s"),
    lower("memory of a process that was asked for every product", 200, 120, { measured: used }, " MiB"),
    // Not by orders a second: with axum the client is the limit.
    higher("CPU time of an order, to that of the axum example", 2, 4, { measured: ratio("cpuMs", SERVICE, AXUM) }),
  ];
}

/** What an instance of two processes is planned by. */
function planTable() {
  const ofSpeed = (what) => figure(median(speed.samples[SERVICE].map((sample) => sample[what])));
  return table(
    ["two processes", "measured"],
    [
      ["orders a second", ofSpeed("perSecond")],
      ["CPU ms", ofSpeed("cpuMs")],
      ["p99 ms, 32 connections", figure(median(switched.map(({ steady }) => steady.p99)))],
      ["memory MiB of each, every product read", figure(Math.max(memory.used, speed.memory) / MIB)],
    ],
  );
}

function speedTable() {
  const rows = Object.entries(speed.samples).map(([name, samples]) => [
    name,
    figure(median(samples.map(({ perSecond }) => perSecond))),
    figure(ratio("perSecond", name, FIXED)),
    ms(median(samples.map(({ cpuMs }) => cpuMs))),
    figure(ratio("cpuMs", FIXED, name)),
  ]);
  return table(["8 connections", "orders a second", "to fixed bytes", "CPU time of an order", "fixed bytes' CPU time to it"], rows);
}

function switchTable() {
  const of = (pick) => median(switched.map(pick));
  /** @param {"steady" | "switching" | "stack"} window */
  const row = (name, window, before = "steady") => [
    name,
    ms(of((one) => one[window].p50)),
    ms(of((one) => one[window].p99)),
    ...["p50", "p99"].map((share) => figure(of((one) => one[window].p99 / one[before][share]))),
  ];
  const headers = ["32 connections", "median", "p99", "p99 to the median without a switch", "p99 to the p99 without a switch"];
  return table(headers, [row("without a switch", "steady"), row("in the 2 s after a switch", "switching"), row(FIXED, "stack", "stack")]);
}

/** The tail that the stack, the client and the machine have without an order. */
function stackText() {
  const tail = median(switched.map(({ stack }) => stack.p99 / stack.p50));
  return `Fixed bytes alone: p99 to the median ${figure(tail)}.`;
}

function rollingTable() {
  const rows = rolling.map(({ how, sent, restarts, lost, wrong }) => [how, ...[sent, restarts, lost, wrong].map(whole)]);
  return table(["32 connections", "orders", "restarts", "lost", "wrong"], rows);
}

function rest() {
  const around = switched.reduce((sum, { sent }) => sum + sent, 0);
  const faults = switched.reduce((sum, { lost, wrong }) => sum + lost + wrong, 0);
  const [one, two] = [1, 2].map((processes) => ms(median(started[processes])));
  const [fresh, full, loaded] = [memory.started, memory.used, speed.memory].map((bytes) => `${figure(bytes / MIB)} MiB`);
  return [
    `**Switches**: ${whole(around)} orders, of which ${whole(faults)} were lost, wrong or of two versions. The last of the old version was answered ${ms(median(switched.map(({ takenUpMs }) => takenUpMs)))} after the switch.`,
    `**Start**: ${one} with one process, ${two} with two.`,
    `**Resident memory of a process**: ${fresh} before its first order, ${full} after three orders of every product, ${loaded} after the loads.`,
  ].join("\n\n");
}
