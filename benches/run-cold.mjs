// Measures cold starts beside packages with a module of WebAssembly that anyone can install: a fresh process of Node, a
// fresh workerd, a fresh browser on a slow phone. A table on stdout and, with --write, a summary in BENCHMARKS.md.
//   CHROMIUM=<program> node benches/run-cold.mjs <work folder> <fresh processes> <fresh browsers> [--write]
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  coldReport,
  coldSummary,
  ENTRANTS,
  given as givenOrder,
  pageFiles,
  timeInNode,
  timeInPage,
  withPage,
  workerOf,
} from "./cold/index.js";
import { inTurn, withTag } from "./measure/index.js";
import { writeFigures } from "./text/index.js";

const [folder, processes, browsers, option] = process.argv.slice(2);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const given = await givenOrder();
const givenFile = join(folder, "given.json");
writeFileSync(givenFile, JSON.stringify(given));

/** @type {import("./cold/report.js").Results} */
const results = {
  machine: machine(),
  entrants: ENTRANTS.map(({ name }) => name),
  versions: versions(),
  compile: await inTurns("compile the module", Number(processes), ({ wasm }) => wasm, compileTime),
  node: await inTurns(
    "start Node",
    Number(processes),
    ({ node }) => node,
    (entrant) => timeInNode(entrant, givenFile),
  ),
  workerd: await workerdTimes(),
  ...(await pageTimes()),
};

console.log(`\n${coldReport(results)}`);
writeFileSync(join(folder, "cold.json"), JSON.stringify(results));
if (option === "--write") writeFigures(fileURLToPath(new URL("../BENCHMARKS.md", import.meta.url)), coldSummary(results), "cold");

/** The samples of each entrant that takes part, by its name. Each turn begins with another entrant. */
async function inTurns(what, turns, takesPart, measure) {
  console.log(what);
  const entrants = ENTRANTS.filter(takesPart);
  const samples = Object.fromEntries(entrants.map(({ name }) => [name, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const entrant of inTurn(entrants, turn)) samples[entrant.name].push(await measure(entrant, turn));
  }
  return samples;
}

async function compileTime({ wasm }, turn) {
  const unseen = withTag(readFileSync(wasm), turn);
  const start = performance.now();
  await WebAssembly.compile(unseen);
  return performance.now() - start;
}

async function workerdTimes() {
  const takesPart = ({ workerd }) => workerd;
  const workers = new Map();
  for (const entrant of ENTRANTS.filter(takesPart)) {
    workers.set(entrant, await workerOf(entrant, join(folder, entrant.workerd), given));
  }
  return inTurns("start workerd", Number(processes), takesPart, (entrant) => workers.get(entrant)());
}

/** The samples, and the bytes of each page. */
async function pageTimes() {
  const sizes = {};
  const pages = new Map();
  for (const entrant of ENTRANTS) {
    const files = await pageFiles(entrant);
    sizes[entrant.name] = Array.from(files.values(), ({ length }) => length).reduce((sum, size) => sum + size);
    pages.set(entrant, withPage(files, given));
  }
  const page = await inTurns(
    "open pages",
    Number(browsers),
    (entrant) => entrant.page,
    (entrant) => timeInPage(pages.get(entrant)),
  );
  return { sizes, page };
}

function machine() {
  const { node, v8 } = process.versions;
  const workerd = createRequire(new URL("../worker/package.json", import.meta.url))("workerd/package.json").version;
  return { cpu: os.cpus()[0].model.trim(), cores: os.cpus().length, system: `${os.platform()} ${os.arch()}`, node, v8, workerd };
}

/** The versions of the peers, as they are pinned. */
function versions() {
  return JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")).devDependencies;
}
