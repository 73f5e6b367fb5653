// What a process counts. metrics-server.js asks each process and adds up.
import cluster from "node:cluster";
import process from "node:process";
import { LOOK_UPS } from "order-cost/internal";
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";

/** Seconds: an order in memory takes a tenth of a millisecond, a late one ten seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** An hour's switch makes a new version: the series of older ones go. */
const MOST_VERSIONS = 10;

collectDefaultMetrics();

const orders = new Counter({
  name: "order_cost_orders_total",
  help: "Orders answered",
  labelNames: ["route", "code", "retryable", "version"],
});
const total = new Histogram({
  name: "order_cost_order_seconds",
  help: "From an order's headers to its answer",
  labelNames: ["route"],
  buckets: BUCKETS,
});
const stages = new Histogram({
  name: "order_cost_stage_seconds",
  help: "Waiting for each look-up, and the service's own time: the order without its waiting",
  labelNames: ["stage"],
  buckets: BUCKETS,
});
const keys = new Counter({ name: "order_cost_keys_total", help: "Keys that orders asked for", labelNames: ["part"] });
const reads = new Counter({ name: "order_cost_reads_total", help: "Reads of stores, and questions to services", labelNames: ["part"] });
const refused = new Counter({ name: "order_cost_refused_total", help: "Requests refused before they were orders", labelNames: ["reason"] });
const underWay = new Gauge({ name: "order_cost_orders_under_way", help: "Orders that are not answered yet" });

const versions = new Set();

/** Forgets the series of a version that has long been replaced. */
function note(version) {
  versions.delete(version);
  versions.add(version);
  if (versions.size <= MOST_VERSIONS) return;
  const [oldest] = versions;
  versions.delete(oldest);
  void orders.get().then(({ values }) => {
    for (const { labels } of values) if (labels.version === oldest) orders.remove(labels);
  });
}

/** @type {import("../service/service.js").Observer} */
export const observer = {
  orderBegan: () => underWay.inc(),

  orderEnded(order) {
    underWay.dec();
    const { outcome, version: { id: version = "none" } = {} } = order;
    if (!outcome) return; // an unknown path or a wrong method
    const { route, error, ms } = outcome;
    note(version);
    orders.inc({ route, code: error?.code ?? "OK", retryable: `${error?.retryable ?? false}`, version });
    total.observe({ route }, ms.total / 1000);
    stages.observe({ stage: "own" }, Math.max(0, ms.total - order.waitedMs) / 1000);
    for (const { part } of Object.values(LOOK_UPS)) {
      if (ms[part] === undefined) continue;
      const counts = order.countsOf(part);
      stages.observe({ stage: part }, ms[part] / 1000);
      keys.inc({ part }, counts.keys);
      reads.inc({ part }, counts.reads);
    }
  },

  refused: (reason) => refused.inc({ reason }),
};

/**
 * Answers metrics-server.js from now on.
 * @param {{ state(): { version?: { id: string }, lookedAt?: number, cachedBytes: number } }} catalogue
 */
export function answerFor(catalogue) {
  /** @type {(name: string, help: string, labelNames: string[], collect: (this: Gauge) => void) => Gauge} */
  const gauge = (name, help, labelNames, collect) => new Gauge({ name, help, labelNames, aggregator: "max", collect });
  new Gauge({
    name: "order_cost_cache_bytes",
    help: "Texts of the catalogue in memory",
    collect() {
      this.set(catalogue.state().cachedBytes);
    },
  });
  gauge("order_cost_catalogue_looked_at_seconds", "When the last answered look at the catalogue began, in Unix time", [], function () {
    const { lookedAt } = catalogue.state();
    if (lookedAt !== undefined) this.set(lookedAt / 1000);
  });
  gauge("order_cost_catalogue_info", "1 for the version in use", ["version"], function () {
    this.reset();
    const { version } = catalogue.state();
    if (version) this.set({ version: version.id }, 1);
  });
  process.on("message", (message) => message === "metrics" && void tell());
}

/** Tells what was counted, before the process ends. */
export const handOver = () => tell();

async function tell() {
  const metrics = await register.getMetricsAsJSON();
  const { worker } = cluster;
  if (worker?.isConnected()) await new Promise((resolve) => worker.send({ metrics }, resolve));
}
