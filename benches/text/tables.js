// The results as Markdown tables, for the terminal and for BENCHMARKS.md.
import { sizeTable as entryTable } from "../../xtask/package/index.mjs";
import { median, pairedRatio, quantile } from "../measure/index.js";
import { EDIT, THROTTLED } from "../orders/index.js";
import { figure, fraction, heading, table } from "./markdown.js";
import { missedTable, targetTable } from "./targets.js";

/**
 * What report.mjs collects.
 * @typedef {object} Results
 * @property {string} rustc its version
 * @property {Engine & OfNode} node
 * @property {Engine & { version: string, throttled: number[] }} chromium
 * @property {{ counts?: Record<string, number>, unavailable?: string }} callgrind instructions of an order, or why there are none
 * @property {{ samples: Record<string, Samples>, shop: Samples }} workerd requests per second; both by lines
 * @property {Awaited<ReturnType<typeof import("../../xtask/package/sizes.mjs").entrySizes>>} sizes
 * @property {ReturnType<typeof import("./targets.js").lower>[]} targets
 *
 * @typedef {Record<string, number[]>} Samples
 * @typedef {{ startup: { compile: number, instantiate: number }, memory: number, sets: Record<string, MeasuredSet> }} Engine
 * @typedef {object} MeasuredSet
 * @property {number} lines
 * @property {import("../orders/work.mjs").Coupons} coupons
 * @property {number} orders
 * @property {string} hash of the responses
 * @property {{ in: number, out: number }} bytes
 * @property {Samples} samples microseconds of an order, by implementation
 *
 * @typedef {object} OfNode
 * @property {{ cpu: string, cores: number, memory: number, system: string, node: string, v8: string }} machine
 * @property {{ cases: number, priced: number, passed: Record<string, number> }} corpus
 * @property {number[]} zones nanoseconds of a look-up
 * @property {Samples} known
 */

/** Everything, for the terminal. @param {Results} results */
export function report(results) {
  const { node, chromium, callgrind, workerd } = results;
  return [
    machineText(results),
    heading("200 lines, one process", processTable(node, chromium)),
    heading("By lines, microseconds in Node", sizeTable(node)),
    heading("An edit of a live basket, microseconds", editTable(node, chromium)),
    heading("200 lines, with and without coupons, microseconds in Node", couponTable(node)),
    heading("Instructions an order, native core", instructionTable(callgrind)),
    heading("workerd on loopback, 8 connections, requests per second", workerdTable(workerd)),
    heading("What an application loads for each entry, bundled and minified", loadTable(results)),
    heading("Targets", targetTable(results.targets, { inChromium: true })),
  ].join("\n\n");
}

const SUMMARY = ["calculateJson", "V8 floor", "floats", "decimal.js", "calculate", EDIT, "native"];

/** What documents rest on, for BENCHMARKS.md. @param {Results} results */
export function summary(results) {
  return [
    machineText(results),
    heading("200 lines", briefTable(results.node, results.chromium)),
    heading("Targets", missedTable(results.targets)),
  ].join("\n\n");
}

/** @param {Results} results */
function machineText({ rustc, node: { machine, corpus }, chromium }) {
  const passed = Object.entries(corpus.passed).map(([name, count]) => `${name} ${count}`);
  return [
    `${machine.cpu}, ${machine.cores} cores, ${Math.round(machine.memory / 2 ** 30)} GB; ${machine.system}; Node ${machine.node} (V8 ${machine.v8}); ` +
      `Chromium ${chromium.version}; ${rustc}.`,
    `Golden cases passed, of ${corpus.priced} that are priced: ${passed.join(", ")}. JSON.parse or the number format cannot carry the others.`,
  ].join("\n\n");
}

/** @param {Results["node"]} node @param {Results["chromium"]} chromium */
function processTable(node, chromium) {
  const { samples, bytes, orders, hash } = node.sets["200"];
  const other = chromium.sets["200"].samples;
  const quartiles = (name) => {
    const ratios = samples[name].map((value, round) => value / samples["V8 floor"][round]);
    return `${fraction(quantile(ratios, 0.25))} – ${fraction(quantile(ratios, 0.75))}`;
  };
  const rows = Object.keys(samples).map((name) => [
    name,
    figure(median(samples[name])),
    fraction(pairedRatio(samples, name, "V8 floor")),
    quartiles(name),
    ...(other[name] ? [figure(median(other[name])), fraction(pairedRatio(other, name, "V8 floor"))] : ["–", "–"]),
  ]);
  const text = table(["implementation", "Node, µs", "to the floor", "quartiles", "Chromium, µs", "to the floor"], rows);
  const what = [
    `${bytes.in.toLocaleString("en")} bytes in, ${bytes.out.toLocaleString("en")} out`,
    `${samples.calculateJson.length} rounds of ${orders} orders`,
    `SHA-256 of the responses ${hash.slice(0, 16)}, the same from all but floats, which are within half a satang`,
  ];
  return `${what.join("; ")}.\n\n${text}`;
}

/** @param {Engine} engine */
function sizeTable({ sets }) {
  const sizes = Object.values(sets).filter(({ coupons }) => coupons === "some");
  const names = Object.keys(sizes[0].samples);
  const rows = names.map((name) => [name, ...sizes.map(({ samples }) => figure(median(samples[name])))]);
  return table(["lines", ...sizes.map(({ lines }) => lines.toLocaleString("en"))], rows);
}

/** @param {Results["node"]} node @param {Results["chromium"]} chromium */
function briefTable(node, chromium) {
  const engines = setsOf(node, chromium);
  const cells = (samples, name) =>
    samples[name] ? [figure(median(samples[name])), fraction(pairedRatio(samples, name, "V8 floor"))] : ["–", "–"];
  const rows = SUMMARY.map((name) => [name, ...engines.flatMap(([, sets]) => cells(sets["200"].samples, name))]);
  return table(["implementation", ...engines.flatMap(([engine]) => [`${engine}, µs`, "to the floor"])], rows);
}

/**
 * The sets of each engine.
 * @param {Results["node"]} node
 * @param {Results["chromium"]} chromium
 */
function setsOf(node, chromium) {
  /** @type {[engine: string, sets: Record<string, MeasuredSet>][]} */
  const engines = [
    ["Node", node.sets],
    ["Chromium", chromium.sets],
  ];
  return engines;
}

const EDITED = ["20", "200", "1000"];

/**
 * Setting one quantity and reading the snapshot, beside recalculating the response object.
 * @param {Results["node"]} node
 * @param {Results["chromium"]} chromium
 */
function editTable(node, chromium) {
  const engines = setsOf(node, chromium);
  const columns = engines.flatMap(([engine, sets]) => EDITED.map((lines) => ({ engine, ...sets[lines] })));
  const rows = [EDIT, "floats, objects", "decimal.js, objects"].map((name) => [
    name,
    ...columns.map(({ samples }) => figure(median(samples[name]))),
  ]);
  rows.splice(1, 0, throttledRow(columns, chromium.throttled));
  return table(["lines", ...columns.map(({ engine, lines }) => `${engine}, ${Number(lines).toLocaleString("en")}`)], rows);
}

function throttledRow(columns, samples) {
  const isMeasured = ({ engine, lines }) => engine === "Chromium" && lines === THROTTLED.lines;
  const cells = columns.map((column) => (isMeasured(column) ? figure(median(samples)) : "–"));
  return [`the same, CPU throttled ${THROTTLED.rate} times`, ...cells];
}

/** @param {Engine} engine */
function couponTable({ sets }) {
  const columns = [sets["200-with-coupons"], sets["200"], sets["200-without-coupons"]];
  const rows = Object.keys(columns[0].samples).map((name) => [name, ...columns.map(({ samples }) => figure(median(samples[name])))]);
  return table(["implementation", "with", "every other", "without"], rows);
}

/** @param {Results["callgrind"]} callgrind */
function instructionTable({ counts, unavailable }) {
  if (!counts) return `Not counted: ${unavailable}.`;
  const rows = Object.entries(counts).map(([lines, count]) => [lines, count.toLocaleString("en"), figure(count / Number(lines))]);
  return table(["lines", "instructions", "a line"], rows);
}

const WORKER_NAMES = {
  priced: "order-cost, facts in the isolate",
  echo: "echo: parse and re-serialise",
  filled: "echo that writes as many bytes as a priced order has",
  decimal: "decimal.js, facts in the isolate",
  fixed: "fixed bytes: the most that workerd and the client do",
};

/** @param {Results["workerd"]} workerd */
function workerdTable({ samples, shop }) {
  const sizes = Object.keys(samples).sort((a, b) => Number(b) - Number(a));
  const cells = (name) =>
    sizes.flatMap((lines) => [figure(median(samples[lines][name])), figure(pairedRatio(samples[lines], name, "echo"))]);
  const shopCells = sizes.flatMap((lines) => [figure(median(shop[lines])), figure(median(shop[lines]) / median(samples[lines].echo))]);
  const rows = Object.entries(WORKER_NAMES).map(([name, title]) => [title, ...cells(name)]);
  rows.push(["order-cost, real KV and the two services", ...shopCells]);
  return table(["Worker", ...sizes.flatMap((lines) => [`${lines} lines`, "to the echo"])], rows);
}

/** @param {Results} results */
function loadTable({ sizes, node, chromium }) {
  const startup = (engine, { startup: ms, memory }) =>
    `${engine}: compile ${figure(ms.compile)} ms, instantiate ${figure(ms.instantiate)} ms; memory after orders of 5,000 lines ${figure(memory / 2 ** 20)} MiB.`;
  return [entryTable(sizes), startup("Node", node), startup("Chromium", chromium)].join("\n\n");
}
