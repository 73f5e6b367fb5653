// Tables of a chain's catalogue: what an order takes by the branches that an isolate serves, and what other engines cost.
import { figure, table } from "../text/index.js";
import { priceOf } from "./cost.js";

const RATE = 10_000;
const DAY = 86_400;

const dollars = (value) => (value >= 100 ? `$${Math.round(value).toLocaleString("en")}` : `$${figure(value)}`);
const aDay = (ofOne) => dollars(ofOne * RATE * DAY);

/**
 * What an order takes.
 * @typedef {{ prices: string, served: number, hasCache: boolean, keys: number, cached: number, bytes: number, cpuMs: number }} Row
 *
 * What a command took; `written` of the keys that are `there`, if it is a push.
 * @typedef {{ what: string, seconds: number, requests: number, written?: number, there?: number, bytes: number, mebibytes: number }} Step
 */

/** @param {{ products: number, branches: number, rows: Row[] }} results of run-branches.mjs */
export function chainTables({ products, branches, rows }) {
  const headers = [
    "prices of the branches",
    "branches an isolate serves",
    "texts come from",
    "keys read (billed)",
    "calls of the Cache API",
    "text read",
    "CPU time",
    "KV a day",
    "CPU a day",
  ];
  return [
    `Orders of 20 lines of random products and branches, picked up, in a warm isolate; ${branches} branches of ${products.toLocaleString("en")} products. "A day" is at ${RATE.toLocaleString("en")} orders a second.`,
    table(headers, rows.map(row)),
  ].join("\n\n");
}

/** @param {Row} row */
function row({ prices, served, hasCache, keys, cached, bytes, cpuMs }) {
  return [
    prices,
    `${served}`,
    hasCache ? "Cache API, then KV" : "KV",
    figureOf(keys),
    figureOf(cached),
    bytes < 50 ? "0" : `${figure(bytes / 1e3)} kB`,
    `${figure(cpuMs)} ms`,
    keys < 0.005 ? "0" : aDay(keys * priceOf("keyRead")),
    aDay(cpuMs * priceOf("cpuMs")),
  ];
}

const figureOf = (value) => (value < 0.005 ? "0" : figure(value));

/** @param {{ branches: number, products: number, own: number, rows: Step[] }[]} walks results of run-walk.mjs */
export function walkTables(walks) {
  return walks
    .map(({ branches, products, own, rows: steps }) => {
      const records = (branches * products).toLocaleString("en");
      const title = `**${records} rows: ${branches} branches of ${products.toLocaleString("en")} products; ${own * 100} % of the prices are a branch's own**`;
      return [title, table(["command", "time", "requests", "keys written", "sent and received", "memory"], steps.map(step))].join("\n\n");
    })
    .join("\n\n");
}

/** @param {Step} step */
function step({ what, seconds, requests, written, there = 0, bytes, mebibytes }) {
  const share = written !== undefined && written < there && `, ${figure((100 * written) / there)} %`;
  const keys = written === undefined ? "" : `${written.toLocaleString("en")}${share || ""}`;
  return [what, `${figure(seconds)} s`, requests.toLocaleString("en"), keys, `${figure(bytes / 1e6)} MB`, `${Math.round(mebibytes)} MiB`];
}
