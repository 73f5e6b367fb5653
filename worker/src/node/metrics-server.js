// GET /metrics on a port of its own: the sums of all processes, in the text format of Prometheus.
import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import {
  AggregatorRegistry,
  // @ts-expect-error its types lack it
  aggregators,
  Counter,
  Gauge,
  Registry,
} from "prom-client";
import { errorText, log } from "../log/index.js";
import { workers } from "./processes.js";

/** A process that is too busy to answer counts as it was when it was asked before. */
const PATIENCE_MS = 1_000;

const COUNTED = new Set(["counter", "histogram"]);

/** What each process last said, by its id. */
const latest = new Map();
/** What those had counted that have ended, by name. Without it the sums would fall, and a graph would show a surge. */
const ended = new Map();

/**
 * @param {import("./processes.js").Processes} processes
 * @param {{ host: string, metricsPort: number }} settings
 */
export async function serveMetrics(processes, { host, metricsPort }) {
  cluster.on("message", (worker, { metrics }) => metrics && latest.set(worker.id, metrics));
  cluster.on("disconnect", ({ id }) => retire(id)); // behind its last message
  const own = registryOf(processes);

  const server = createServer(async ({ method, url = "" }, response) => {
    const isRead = method === "GET" || method === "HEAD";
    if (!isRead || url.split("?")[0] !== "/metrics") return response.writeHead(404).end();
    try {
      await (asking ??= askAll().finally(() => (asking = undefined)));
      const sums = AggregatorRegistry.aggregate([...latest.values(), [...ended.values()], await own.getMetricsAsJSON()]);
      response.writeHead(200, { "content-type": sums.contentType }).end(method === "HEAD" ? undefined : await sums.metrics());
    } catch (error) {
      log("error", "fault", { message: "The metrics failed", cause: errorText(error) });
      response.writeHead(500).end();
    }
  });
  await once(server.listen(metricsPort, host), "listening");
  server.unref();
}

/** Readers at the same time share the answers. */
let asking;

/** Asks each process, and waits for those that answer in time. */
async function askAll() {
  const connected = workers().filter((worker) => worker.isConnected());
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  await Promise.all(
    connected.map(async (worker) => {
      worker.send("metrics", () => {});
      await once(worker, "message", { signal: timeout }).catch(() => {});
    }),
  );
}

function retire(id) {
  const metrics = latest.get(id) ?? [];
  latest.delete(id);
  const recent = new Set([metrics, ...latest.values()].flatMap(versionsIn));
  const isRecent = ({ labels: { version } }) => version === undefined || recent.has(version);
  for (const metric of metrics.filter(({ type }) => COUNTED.has(type))) {
    const { values = [] } = ended.get(metric.name) ?? {};
    ended.set(metric.name, aggregators.sum([metric, { ...metric, values: values.filter(isRecent) }]));
  }
}

const versionsIn = (metrics) => metrics.flatMap(({ values }) => values.flatMap(({ labels: { version } }) => version ?? []));

/** What only this process knows. */
function registryOf(processes) {
  const registers = [new Registry()];
  new Gauge({
    name: "order_cost_processes",
    help: "Processes that take orders",
    registers,
    collect() {
      this.set(processes.count);
    },
  });
  new Counter({
    name: "order_cost_process_restarts_total",
    help: "Processes that died and were replaced",
    registers,
    collect() {
      this.reset();
      this.inc(processes.restarts);
    },
  });
  return registers[0];
}
