// Reports the results: tables on stdout, everything in bench.json and, with --write, the summary in BENCHMARKS.md.
//   node benches/reports/report.mjs <folder of results> <bench.json> [--write]
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entrySizes } from "../../xtask/package/index.mjs";
import { median, pairedRatio } from "../measure/index.js";
import { APPEND, EDIT, EXPLAIN, QUOTES, THROTTLED } from "../orders/index.js";
import { chart, higher, lower, report, summary, writeFigures } from "../text/index.js";

const root = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const [folder, benchFile, option] = process.argv.slice(2);
const read = (part) => JSON.parse(readFileSync(join(folder, `${part}.json`), "utf8"));

const measured = {
  rustc: execFileSync("rustc", ["--version"], { cwd: root(""), encoding: "utf8" }).trim(),
  node: read("node"),
  chromium: read("chromium"),
  callgrind: read("callgrind"),
  workerd: read("workerd"),
  sizes: await entrySizes(root("pkg")),
};
ensureSameResponses(measured);
/** @type {import("../text/tables.js").Results} */
const results = { ...measured, targets: targets(measured) };
writeFileSync(benchFile, `${JSON.stringify(results, null, 1)}\n`);

console.log(`\n${report(results)}`);
if (option === "--write") {
  writeFigures(root("BENCHMARKS.md"), summary(results));
  writeFileSync(root("benches/chart.svg"), chart(results.node.sets["200"].samples));
}

// ---------------------------------------------------------------- figures

/** Each engine has already compared its competitors' responses. This compares the engines. */
function ensureSameResponses({ node, chromium }) {
  for (const [name, { hash }] of Object.entries(chromium.sets)) {
    if (hash !== node.sets[name].hash) throw new Error(`Node and Chromium give different responses to the orders of ${name} lines`);
  }
}

function targets({ node, chromium, callgrind, workerd, sizes }) {
  const ratio = (of, to, lines = "200") => ({
    measured: pairedRatio(node.sets[lines].samples, of, to),
    chromium: pairedRatio(chromium.sets[lines].samples, of, to),
  });
  const time = (of, lines = "200") => ({
    measured: median(node.sets[lines].samples[of]),
    chromium: median(chromium.sets[lines].samples[of]),
  });
  const known = (of) => ({ measured: median(node.known[of]) });
  const throttled = median(chromium.throttled);
  const toEcho = (lines) => ({ measured: pairedRatio(workerd.samples[lines], "priced", "echo") });
  const instructions = (lines) => ({ measured: callgrind.counts?.[lines] });
  const brotli = (entry) => ({ measured: sizes.find(({ name }) => name === entry).brotli / 1_000 });
  const linear = ({ sets }) => median(sets["5000"].samples.calculateJson) / median(sets["500"].samples.calculateJson);
  const calculate = ratio("calculate", "calculate's floor");
  return [
    lower("`calculateJson` to the V8 floor, 20 lines", 0.33, 0.28, ratio("calculateJson", "V8 floor", "20")),
    lower("`calculateJson` to the V8 floor, 200 lines", 0.25, 0.22, ratio("calculateJson", "V8 floor")),
    lower("`calculateJson` to decimal.js, 200 lines", 1 / 8, 1 / 25, ratio("calculateJson", "decimal.js")),
    lower("`calculate` to its own floor, 200 lines", 1.6, 1.25, calculate),
    lower("`calculate` to its own floor in Chromium, 200 lines", 2.1, 1.8, { ...calculate, measured: calculate.chromium }),
    lower(`${EDIT}, to recalculating the response in floats, 200 lines`, 1 / 5, 1 / 20, ratio(EDIT, "floats, objects")),
    lower(`${EDIT}, 200 lines`, 50, 15, time(EDIT), " µs"),
    lower(
      `${EDIT}, ${THROTTLED.lines} lines, in Chromium with the CPU throttled ${THROTTLED.rate} times`,
      250,
      100,
      { measured: throttled, chromium: throttled },
      " µs",
    ),
    lower(`${EXPLAIN}, 200 lines`, 1_000, 300, known(EXPLAIN), " µs"),
    lower(`${QUOTES}, 200 lines`, 3_000, 1_000, known(QUOTES), " µs"),
    lower(APPEND, 100_000, 30_000, known(APPEND), " µs"),
    lower("wasm to native, same core, 200 lines", 1.6, 1.2, {
      measured: pairedRatio(node.sets["200"].samples, "core in wasm", "native"),
    }),
    lower("instructions an order, native core, 20 lines", 138_500, 115_000, instructions("20")),
    lower("instructions an order, native core, 200 lines", 890_000, 860_000, instructions("200")),
    lower("time at 5,000 lines to time at 500", 11, 10, {
      measured: linear(node),
      chromium: linear(chromium),
    }),
    higher("workerd: requests per second to the echo Worker's, 20 lines", 0.78, 0.85, toEcho("20")),
    higher("workerd: requests per second to the echo Worker's, 200 lines", 1.15, 1.3, toEcho("200")),
    lower("brotli of all that `order-cost` loads", 109, 104, brotli("order-cost"), " kB"),
    lower("brotli of all that `order-cost/url` loads", 106, 100, brotli("order-cost/url"), " kB"),
    lower("brotli of all that `order-cost/calculate` loads", 95, 84, brotli("order-cost/calculate"), " kB"),
    lower("brotli of all that `order-cost/messages` loads", 2.5, 2.1, brotli("order-cost/messages"), " kB"),
    lower("brotli of all that `order-cost/react` loads", 0.35, 0.3, brotli("order-cost/react"), " kB"),
    lower("brotli of all that `order-cost/vue` loads", 0.35, 0.3, brotli("order-cost/vue"), " kB"),
    lower("zone look-up among 50 zones of 200 vertices, native", 1, 0.3, { measured: median(node.zones) / 1_000 }, " µs"),
  ];
}
