// One process of the service. main.js starts it and its like.
import cluster from "node:cluster";
import process from "node:process";
import { preload } from "order-cost";
import { errorText, log } from "../log/log.js";
import { onNode } from "../platform/node.js";
import { createService } from "../service.js";
import { createListener } from "./listener.js";
import { settingsOf } from "./settings.js";

const { env } = process;
const { host, port, metricsPort, patienceMs } = settingsOf(env);

process.stdout.on("error", () => {}); // whoever reads the log has gone: that must not end orders
process.on("uncaughtException", (error) => fail("A fault ended the process", error));
process.on("unhandledRejection", (error) => log("error", "fault", { message: "A promise failed", cause: errorText(error) }));

const metrics = metricsPort === undefined ? undefined : await import("./metrics.js");
const tracing = env.OTEL_EXPORTER_OTLP_ENDPOINT ? await import("./tracing.js") : undefined;
const { answer, catalogue } = createService(onNode(env, { observer: metrics?.observer, trace: tracing?.trace }), env);
metrics?.answerFor(catalogue);

const { server, end } = createListener(answer);
server.once("error", (error) => fail(`${host}:${port} cannot be listened on`, error));

// The first order finds the module and the version in memory. Without a version it says so itself.
await Promise.all([preload(), catalogue.current()]);
server.listen(port, host);

let ending;
function endOnce() {
  ending ??= end(patienceMs).then(async () => {
    await Promise.all([metrics?.handOver(), tracing?.flush()]);
    process.exit(0);
  });
}
// A signal from a terminal comes to all processes; main.js sends a message.
for (const event of ["SIGTERM", "SIGINT"]) process.on(event, endOnce);
process.on("SIGHUP", () => {}); // main.js replaces the processes one after another
cluster.worker.on("message", (message) => message === "end" && endOnce());

function fail(message, error) {
  log("error", "fault", { message, cause: errorText(error) });
  process.exit(1);
}
