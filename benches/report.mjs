// Puts together what was measured: tables on stdout, all of it in bench.json, and with --write the figures of BENCHMARKS.md.
//   node benches/report.mjs <folder of results> <bench.json> [--write]
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entrySizes } from "../xtask/sizes.mjs";
import { chart } from "./chart.js";
import { median, pairedRatio } from "./measure.js";
import { report } from "./tables.js";

const root = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [folder, benchFile, option] = process.argv.slice(2);
const read = (part) => JSON.parse(readFileSync(join(folder, `${part}.json`), "utf8"));

const results = {
  rustc: execFileSync("rustc", ["--version"], { cwd: root(""), encoding: "utf8" }).trim(),
  node: read("node"),
  chromium: read("chromium"),
  callgrind: read("callgrind"),
  workerd: read("workerd"),
  sizes: await entrySizes(root("pkg")),
};
ensureSameResponses(results);
results.aims = aims(results);
writeFileSync(benchFile, `${JSON.stringify(results, null, 1)}\n`);

const figures = report(results);
console.log(`\n${figures}`);
if (option === "--write") {
  writeFigures(figures);
  writeFileSync(root("benches/chart.svg"), chart(results.node.sets["200"].samples));
}

// ---------------------------------------------------------------- figures

/** Each engine has compared its competitors' responses; here the engines'. */
function ensureSameResponses({ node, chromium }) {
  for (const [name, { hash }] of Object.entries(chromium.sets ?? {})) {
    if (hash !== node.sets[name].hash)
      throw new Error(`Node and Chromium give different responses to the orders of ${name} lines`);
  }
}

/** The aims. `better` says which way; `atLeast` and `aim` are in the unit of `got`. */
function aims({ node, chromium, workerd, sizes }) {
  const at200 = node.sets["200"].samples;
  const inChromium = chromium.sets?.["200"].samples;
  const ratio = (of, to) => ({
    got: pairedRatio(at200, of, to),
    chromium: inChromium && pairedRatio(inChromium, of, to),
  });
  const { brotli } = sizes.find(({ name }) => name === "order-cost/url");
  const linear = ({ sets }) => median(sets["5000"].samples.calculateJson) / median(sets["500"].samples.calculateJson);
  const lower = (measure, atLeast, aim, figures, unit = "") => judge({ measure, unit, atLeast, aim, ...figures }, 1);
  const higher = (measure, atLeast, aim, figures, unit = "") => judge({ measure, unit, atLeast, aim, ...figures }, -1);
  return [
    lower("`calculateJson` to the V8 floor, records included", 0.5, 0.25, ratio("calculateJson", "V8 floor")),
    lower("`calculateJson` to decimal.js", 1 / 12, 1 / 25, ratio("calculateJson", "decimal.js")),
    lower("`calculate` to its own floor", 1.6, 1.25, ratio("calculate", "calculate's floor")),
    lower("`basket.setQuantity` to recalculating the response in floats", 1 / 5, 1 / 20, ratio("basket.setQuantity", "floats, objects")),
    lower("wasm to native, same core", 1.6, 1.2, { got: pairedRatio(at200, "core in wasm", "native") }),
    lower("time at 5,000 lines to time at 500", 11, 10, {
      got: linear(node),
      chromium: chromium.sets && linear(chromium),
    }),
    higher("workerd: requests per second to the echo Worker's", 1.2, 2, {
      got: pairedRatio(workerd.samples["200"], "priced", "echo"),
    }),
    lower("brotli of all that `order-cost/url` loads", 60, 40, { got: brotli / 1_000 }, " kB"),
    lower("zone look-up among 50 zones of 200 vertices, native", 1, 0.3, { got: median(node.zones) / 1_000 }, " µs"),
  ];
}

function judge(row, direction) {
  const reaches = (limit) => direction * row.got <= direction * limit;
  return { ...row, verdict: reaches(row.aim) ? "aim" : reaches(row.atLeast) ? "at least" : "short" };
}

// ---------------------------------------------------------------- BENCHMARKS.md

function writeFigures(figures) {
  const file = root("BENCHMARKS.md");
  const text = readFileSync(file, "utf8");
  const between = /(?<=<!-- figures -->\n)[^]*(?=<!-- \/figures -->)/;
  if (!between.test(text)) throw new Error("BENCHMARKS.md has no <!-- figures --> … <!-- /figures -->");
  writeFileSync(
    file,
    text.replace(between, () => `\n${figures}\n\n`),
  );
}
