// Reports what the edge costs: all tables on stdout and, with --write, those that one plans with in CAPACITY.md.
//   node benches/reports/report-edge.mjs <folder of results> [--write]
import { readFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../measure/index.js";
import { figure, heading, higher, lower, missedText, table, targetTable, writeFigures } from "../text/index.js";
import { costTables, decisionTable, largestTables, linesTables, rateTable, receiptTable } from "./capacity-tables.js";
import { chainTables, walkTables } from "./chain-tables.js";
import {
  addedTable,
  chainTable,
  costTable,
  largestTable,
  orderTable,
  rateTable as planRateTable,
  publishTable,
  shardTable,
} from "./plan-tables.js";

const [folder, option] = process.argv.slice(2);
const read = (part) => JSON.parse(readFileSync(join(folder, `${part}.json`), "utf8"));
const edge = read("edge");
const layout = read("layout");
const capacity = read("capacity");
const branches = read("branches");
const walks = [read("walk-near"), read("walk-far")];

const machine = `${os.cpus()[0].model}, ${os.cpus().length} cores; ${os.platform()} ${os.arch()}; Node ${process.versions.node}.`;
const printed = [
  linesTables(capacity),
  largestTables(capacity),
  costTables(capacity),
  rateTable(capacity),
  receiptTable(capacity),
  decisionTable(capacity),
  chainTables(branches),
  walkTables(walks),
  ...catalogues(layout).map(([title, rows]) => heading(title, layoutTable(rows))),
  machine,
  targetTable(targets(edge)),
];
console.log(`\n${printed.join("\n\n")}`);

/** By the name of the marks that they stand between. */
const figures = {
  order: orderTable(capacity),
  largest: largestTable(capacity),
  cost: costTable(capacity),
  rate: planRateTable(capacity),
  chain: chainTable(branches),
  publish: publishTable(walks),
  shards: shardTable(layout),
  added: addedTable(capacity),
  targets: [machine, missedText(targets(edge))].join("\n\n"),
};
if (option === "--write")
  for (const [name, text] of Object.entries(figures))
    writeFigures(fileURLToPath(new URL("../../CAPACITY.md", import.meta.url)), text, name);

function targets({ cold, warm, warmReads, publishing: { records, build, push }, shop }) {
  const count = records.toLocaleString("en");
  return [
    lower("reads of KV, 200 warm orders of 20 lines", 0, 0, { measured: warmReads }),
    lower("an order of 20 lines, warm, median", 4, 2, { measured: warm.p50 }, " ms"),
    lower("the first order of an isolate, 20 lines, median", 45, 30, { measured: cold }, " ms"),
    lower(`\`build\` of ${count} records`, 120, 40, { measured: build.seconds }, " s"),
    lower(`\`push\` of them to the local store`, 60, 20, { measured: push.seconds }, " s"),
    lower(`memory of that \`build\``, 512, 256, { measured: build.mebibytes }, " MiB"),
    higher("orders a second, seed data and both services, 20 lines", 500, 1_000, { measured: median(shop["20"]) }),
  ];
}

/** The rows of each catalogue, under its title. */
function catalogues(rows) {
  const titles = new Map();
  for (const row of rows) {
    const { products, isEqual } = row;
    const records = (products * 5).toLocaleString("en");
    const title = `${records} records: ${products.toLocaleString("en")} products, five branches with ${isEqual ? "equal" : "unequal"} prices`;
    if (!titles.has(title)) titles.set(title, []);
    titles.get(title).push(row);
  }
  return [...titles];
}

function layoutTable(rows) {
  const mega = (bytes) => `${figure(bytes / 1e6)} MB`;
  const coldCell = ({ ms, shards, bytes }) => `${figure(ms)} ms · ${Math.round(shards)} · ${mega(bytes)}`;
  const body = rows.map(({ kibibytes, shards, bytes, manifestBytes, seconds, cold, warm }) => [
    `${kibibytes} KiB`,
    shards.toLocaleString("en"),
    mega(bytes),
    `${figure(manifestBytes / 1_000)} kB`,
    `${figure(seconds)} s`,
    coldCell(cold[20]),
    coldCell(cold[200]),
    coldCell(cold[5_000]),
    mega(cold[5_000].grown),
    `${figure(warm)} ms`,
  ]);
  const lines = (count) => `first order, ${count} lines: time · shards · text`;
  const headers = ["shard at most", "shards", "text", "manifest", "push", ...[20, 200, "5,000"].map(lines)];
  return table([...headers, "memory after it", "20 lines, warm"], body);
}
