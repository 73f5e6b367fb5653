// Cold starts as Markdown.
import { median, quantile } from "../measure/index.js";
import { figure, heading, lower, missedTable, table, targetTable } from "../text/index.js";
import { NOTHING } from "./entrants.js";
import { SLOW } from "./page.js";

/**
 * What run-cold.mjs collects: samples by entrant, in milliseconds.
 * @typedef {object} Results
 * @property {{ cpu: string, cores: number, system: string, node: string, v8: string, workerd: string }} machine
 * @property {string[]} entrants
 * @property {Record<string, string>} versions of the peers
 * @property {Record<string, number>} sizes bytes that a page loads
 * @property {Record<string, number[]>} compile
 * @property {Record<string, Sample[]>} node
 * @property {Record<string, Sample[]>} workerd
 * @property {Record<string, { ms: number, version: string }[]>} page
 *
 * @typedef {{ process: number, firstUse: number }} Sample
 */

/** Everything, for the terminal. @param {Results} results */
export function coldReport(results) {
  return [machineText(results), startTable(results), heading("Targets of the cold start", targetTable(targets(results)))].join("\n\n");
}

/** Medians of what a user waits for, for BENCHMARKS.md. @param {Results} results */
export function coldSummary(results) {
  return [machineText(results), waitTable(results), missedTable(targets(results))].join("\n\n");
}

/** @param {Results} results */
function machineText({ machine, node, page }) {
  const { cpu, cores, system, v8, workerd } = machine;
  const processes = node[NOTHING].length;
  const [{ version }, ...others] = page[NOTHING];
  const nothing = `A process of Node that does nothing takes ${spread(node[NOTHING].map(whole))} ms`;
  const { cpu: rate, bytesPerSecond, latencyMs } = SLOW;
  const slow = `Pages: CPU throttled ${rate} times, ${(8 * bytesPerSecond) / 1e6} Mbit/s, latency ${latencyMs} ms`;
  return [
    `${cpu}, ${cores} cores; ${system}; Node ${machine.node} (V8 ${v8}); workerd ${workerd}; Chromium ${version}.`,
    `Medians (quartiles) of ${processes} fresh processes and ${1 + others.length} fresh browsers each, in turns. ${slow}. ${nothing}.`,
  ].join(" ");
}

/** @param {Results} results */
function startTable({ entrants, versions, sizes, compile, node, workerd, page }) {
  const pages = Object.fromEntries(Object.entries(page).map(([name, samples]) => [name, samples.map(({ ms }) => ms)]));
  const rows = entrants.map((name) => [
    title(name, versions),
    name === NOTHING ? "–" : `${figure(sizes[name] / 1_000)} kB`,
    cell(compile[name]),
    cell(node[name]?.map(firstUse)),
    cell(besideNothing(node, name)),
    cell(workerd[name]?.map(firstUse)),
    cell(workerd[name]?.map(whole)),
    cell(pages[name]),
  ]);
  const headers = [
    "",
    "a page loads, brotli",
    "compile, ms",
    "Node: import to first use, ms",
    "Node: the process beside nothing's, ms",
    "workerd: first answer, ms",
    "workerd: start to first answer, ms",
    "page: navigation to first use, ms",
  ];
  return table(headers, rows);
}

/** @param {Results} results */
function waitTable({ entrants, versions, sizes, node, workerd, page }) {
  const middle = (samples, time) => (samples === undefined ? "–" : figure(median(samples.map(time))));
  const rows = entrants.map((name) => [
    title(name, versions),
    name === NOTHING ? "–" : figure(sizes[name] / 1_000),
    middle(node[name], firstUse),
    middle(workerd[name], whole),
    middle(page[name], ({ ms }) => ms),
  ]);
  return table(["package", "a page loads, kB", "Node, ms", "workerd, ms", "page, ms"], rows);
}

function title(name, versions) {
  if (name === NOTHING) return "nothing";
  return /^\d/.test(versions[name] ?? "") ? `${name} ${versions[name]}` : `\`${name}\``;
}

/** @param {Sample} sample */
const firstUse = (sample) => sample.firstUse;
/** @param {Sample} sample */
const whole = (sample) => sample.process;

/**
 * How much longer each process took than that of nothing in the same turn.
 * @param {Record<string, Sample[]>} samples
 * @param {string} name
 */
function besideNothing(samples, name) {
  if (name === NOTHING) return undefined;
  return samples[name]?.map((sample, turn) => whole(sample) - whole(samples[NOTHING][turn]));
}

/** @param {number[] | undefined} values */
const cell = (values) => (values === undefined ? "–" : spread(values));

const spread = (values) => `${figure(median(values))} (${figure(quantile(values, 0.25))} – ${figure(quantile(values, 0.75))})`;

/** @param {Results} results */
function targets({ node }) {
  const figures = (name) => ({ measured: median(besideNothing(node, name)) });
  return ["order-cost", "order-cost/calculate"].map((name) =>
    lower(`\`${name}\`: import to first price, fresh Node, beside a script that does nothing`, 40, 25, figures(name), " ms"),
  );
}
