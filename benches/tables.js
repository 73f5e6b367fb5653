// The results as Markdown tables, for the terminal and for BENCHMARKS.md.
import { sizeTable as entryTable } from "../xtask/sizes.mjs";
import { EDIT, THROTTLED } from "./edits.js";
import { fraction, figure, heading, table } from "./markdown.js";
import { median, pairedRatio, quantile } from "./measure.js";
import { missedTable, targetTable } from "./targets.js";

/** Everything, for the terminal. @param {object} results as report.mjs collects them */
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

/** What documents rest on, for BENCHMARKS.md. */
export function summary({ node, chromium, targets, ...results }) {
  return [
    machineText({ node, chromium, ...results }),
    heading("200 lines", briefTable(node, chromium)),
    heading("Targets", missedTable(targets)),
  ].join("\n\n");
}

function machineText({ rustc, node: { machine, corpus }, chromium }) {
  const passed = Object.entries(corpus.passed).map(([name, count]) => `${name} ${count}`);
  return [
    `${machine.cpu}, ${machine.cores} cores, ${Math.round(machine.memory / 2 ** 30)} GB; ${machine.system}; Node ${machine.node} (V8 ${machine.v8}); ` +
      `${chromium.unavailable ?? `Chromium ${chromium.version}`}; ${rustc}.`,
    `Golden cases passed, of ${corpus.priced} that are priced: ${passed.join(", ")}. JSON.parse or the number format cannot carry the others.`,
  ].join("\n\n");
}

function processTable(node, chromium) {
  const { samples, bytes, orders, hash } = node.sets["200"];
  const other = chromium.sets?.["200"].samples;
  const quartiles = (name) => {
    const ratios = samples[name].map((value, round) => value / samples["V8 floor"][round]);
    return `${fraction(quantile(ratios, 0.25))} – ${fraction(quantile(ratios, 0.75))}`;
  };
  const rows = Object.keys(samples).map((name) => [
    name,
    figure(median(samples[name])),
    fraction(pairedRatio(samples, name, "V8 floor")),
    quartiles(name),
    ...(other?.[name] ? [figure(median(other[name])), fraction(pairedRatio(other, name, "V8 floor"))] : ["–", "–"]),
  ]);
  const why = other ? "" : `\n\nNo Chromium: ${chromium.unavailable}.`;
  const text = table(["implementation", "Node, µs", "to the floor", "quartiles", "Chromium, µs", "to the floor"], rows);
  const what = [
    `${bytes.in.toLocaleString("en")} bytes in, ${bytes.out.toLocaleString("en")} out`,
    `${samples.calculateJson.length} rounds of ${orders} orders`,
    `SHA-256 of the responses ${hash.slice(0, 16)}, the same from all but floats, which are within half a satang`,
  ];
  return `${what.join("; ")}.\n\n${text}${why}`;
}

function sizeTable({ sets }) {
  const sizes = Object.values(sets).filter(({ coupons }) => coupons === "some");
  const names = Object.keys(sizes[0].samples);
  const rows = names.map((name) => [name, ...sizes.map(({ samples }) => figure(median(samples[name])))]);
  return table(["lines", ...sizes.map(({ lines }) => lines.toLocaleString("en"))], rows);
}

function briefTable(node, chromium) {
  const engines = [
    ["Node", node],
    ["Chromium", chromium],
  ].filter(([, { sets }]) => sets);
  const cells = (samples, name) =>
    samples[name] ? [figure(median(samples[name])), fraction(pairedRatio(samples, name, "V8 floor"))] : ["–", "–"];
  const rows = SUMMARY.map((name) => [name, ...engines.flatMap(([, { sets }]) => cells(sets["200"].samples, name))]);
  return table(["implementation", ...engines.flatMap(([engine]) => [`${engine}, µs`, "to the floor"])], rows);
}

const EDITED = ["20", "200", "1000"];

/** Setting one quantity and reading the snapshot, beside recalculating the response object. */
function editTable(node, chromium) {
  const engines = [["Node", node.sets], ...(chromium.sets ? [["Chromium", chromium.sets]] : [])];
  const columns = engines.flatMap(([engine, sets]) => EDITED.map((lines) => ({ engine, lines, ...sets[lines] })));
  const rows = [EDIT, "floats, objects", "decimal.js, objects"].map((name) => [
    name,
    ...columns.map(({ samples }) => figure(median(samples[name]))),
  ]);
  if (chromium.throttled) rows.splice(1, 0, throttledRow(columns, chromium.throttled));
  return table(["lines", ...columns.map(({ engine, lines }) => `${engine}, ${Number(lines).toLocaleString("en")}`)], rows);
}

function throttledRow(columns, samples) {
  const isMeasured = ({ engine, lines }) => engine === "Chromium" && lines === THROTTLED.lines;
  const cells = columns.map((column) => (isMeasured(column) ? figure(median(samples)) : "–"));
  return [`the same, CPU throttled ${THROTTLED.rate} times`, ...cells];
}

function couponTable({ sets }) {
  const columns = [sets["200-with-coupons"], sets["200"], sets["200-without-coupons"]];
  const rows = Object.keys(columns[0].samples).map((name) => [name, ...columns.map(({ samples }) => figure(median(samples[name])))]);
  return table(["implementation", "with", "every other", "without"], rows);
}

function instructionTable({ counts, unavailable }) {
  if (unavailable) return `Not counted: ${unavailable}.`;
  const rows = Object.entries(counts).map(([lines, count]) => [lines, count.toLocaleString("en"), figure(count / lines)]);
  return table(["lines", "instructions", "a line"], rows);
}

const WORKER_NAMES = {
  priced: "order-cost, facts in the isolate",
  echo: "echo: parse and re-serialise",
  filled: "echo that writes as many bytes as a priced order has",
  decimal: "decimal.js, facts in the isolate",
  fixed: "fixed bytes: the most that workerd and the client do",
};

function workerdTable({ samples, shop }) {
  const sizes = Object.keys(samples).sort((a, b) => b - a);
  const cells = (name) =>
    sizes.flatMap((lines) => [figure(median(samples[lines][name])), figure(pairedRatio(samples[lines], name, "echo"))]);
  const shopCells = sizes.flatMap((lines) => [figure(median(shop[lines])), figure(median(shop[lines]) / median(samples[lines].echo))]);
  const rows = Object.entries(WORKER_NAMES).map(([name, title]) => [title, ...cells(name)]);
  rows.push(["order-cost, real KV and the two services", ...shopCells]);
  return table(["Worker", ...sizes.flatMap((lines) => [`${lines} lines`, "to the echo"])], rows);
}

function loadTable({ sizes, node, chromium }) {
  const startup = (engine, { startup: ms, memory }) =>
    `${engine}: compile ${figure(ms.compile)} ms, instantiate ${figure(ms.instantiate)} ms; memory after orders of 5,000 lines ${figure(memory / 2 ** 20)} MiB.`;
  const inChromium = chromium.unavailable ? `Chromium: ${chromium.unavailable}.` : startup("Chromium", chromium);
  return [entryTable(sizes), startup("Node", node), inChromium].join("\n\n");
}
