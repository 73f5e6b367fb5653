// Measures in Node: the corpus, start-up, the suite together with the core itself (native and wasm), and the zone
// look-up.
//   node benches/run-node.mjs <native program> <bindings of the core's module> <work folder> <result file>
// <milliseconds per set>
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { createPricer } from "order-cost";
import { readCorpus } from "../tests/golden/corpus.mjs";
import { COMPETITORS } from "./competitors/index.js";
import { measureStartup, memoryBytes } from "./measure/index.js";
import { isInScope, passes, startModule, startNative } from "./node/index.js";
import { measureKnown, runSuite } from "./orders/index.js";

const ZONE_SAMPLES = 15;

const [program, script, workFolder, resultFile, budgetMs] = process.argv.slice(2);
const log = console.log;

log("replaying the golden corpus on the competitors");
const corpus = await passCorpus();
const startup = await measureStartup(readFileSync(new URL(import.meta.resolve("order-cost/wasm"))));
const native = startNative(program, workFolder);
const inWasm = await startModule(script, workFolder);
try {
  const sets = await runSuite(createPricer, { budgetMs: Number(budgetMs), cores: { native, "core in wasm": inWasm }, log });
  log("a basket without questions");
  const known = await measureKnown(createPricer, Number(budgetMs));
  log("looking up zones");
  const zones = [];
  while (zones.length < ZONE_SAMPLES) zones.push(await native.timeZones());
  const memory = await memoryBytes();
  writeFileSync(resultFile, JSON.stringify({ machine: machine(), corpus, startup, memory, zones, known, sets }));
} finally {
  native.stop();
}

async function passCorpus() {
  const cases = readCorpus().map(({ testCase }) => testCase);
  const priced = cases.filter(({ expect }) => expect.response ?? expect.responseText).length;
  const passed = {};
  for (const competitor of COMPETITORS) {
    const inScope = cases.filter((testCase) => isInScope(testCase, competitor.formats));
    for (const testCase of inScope) await passes(competitor, testCase);
    passed[competitor.name] = inScope.length;
  }
  return { cases: cases.length, priced, passed };
}

function machine() {
  const { node, v8 } = process.versions;
  const [{ model }] = cpus();
  return {
    cpu: model.trim(),
    cores: cpus().length,
    memory: totalmem(),
    system: `${process.platform} ${process.arch}`,
    node,
    v8,
  };
}
