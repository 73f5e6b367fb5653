// One process of the service. main.js starts it and its like.
import cluster from "node:cluster";
import process from "node:process";
import { preload } from "order-cost";
import { errorText, log, takeLines } from "../log/index.js";
import { createService } from "../service/index.js";
import { limitConnections } from "./connections.js";
import { createListener } from "./listener.js";
import { onNode } from "./platform/index.js";
import { REPLACING, settingsOf } from "./settings.js";

const { env } = process;
const worker = /** @type {import("node:cluster").Worker} */ (cluster.worker);
const { host, port, metricsPort, deadlineMs, patienceMs } = settingsOf(env);

process.stdout.on("error", () => {}); // whoever reads the log has gone: that must not end orders
takeLines((line) => process.stdout.write(`${line}\n`)); // the console would look for formats in it first
process.on("uncaughtException", (error) => fail("A fault ended the process", error));
process.on("unhandledRejection", (error) => log("error", "fault", { message: "A promise failed", cause: errorText(error) }));

const metrics = metricsPort === undefined ? undefined : await import("./metrics.js");
const tracing = env.OTEL_EXPORTER_OTLP_ENDPOINT ? await import("./tracing.js") : undefined;
const platform = onNode(env, { observer: metrics?.observer, trace: tracing?.trace });
const { answer, catalogue } = createService(platform, env);
metrics?.answerFor(catalogue);

const { server, end } = createListener(answer, deadlineMs, platform.hold);
limitConnections(server);
server.once("error", (error) => fail(`${host}:${port} cannot be listened on`, error));

// The first order finds the module and the version in memory. Without a version it says so itself.
await Promise.all([preload(), catalogue.current()]);
refuseToReplace();
server.listen(port, host);

/** The process that this one should replace may still have a version in memory. */
function refuseToReplace() {
  const { version, fault } = catalogue.state();
  if (version || env[REPLACING] === undefined) return;
  log("error", "data", { message: `${fault}: a process without a version replaces none` });
  process.exit(1);
}

/** The main process has ended by a signal. An exit would wait for threads that hang, and nobody would kill this process. */
const endWithMain = () => process.kill(process.pid, "SIGKILL");
process.prependListener("disconnect", endWithMain);

// biome-ignore lint/correctness/noUnusedVariables: `??=` reads it
let ending;
function endOnce() {
  ending ??= end(patienceMs, closed).then(async () => {
    await Promise.all([metrics?.handOver(), tracing?.flush(), platform.heldEnded()]);
    // First this: an exit waits for the threads of the pool. If one hangs, the main process kills this one.
    process.off("disconnect", endWithMain).once("disconnect", () => process.exit(0));
    worker.process.disconnect();
  });
}

/** Connections that the main process sends meanwhile go back to it. One that is sent to a process that has ended would hang. */
async function closed() {
  /** @type {Promise<void>} */
  const heard = new Promise((resolve) => worker.on("message", (message) => message === "heard" && resolve()));
  worker.send("closed", () => {});
  await heard;
}

/**
 * A connection that does not arrive, because this process has too many open files, is never acknowledged, and the main process
 * waits for that before it sends the next one. Only Node's own message tells. The answer lets the main process close it.
 */
process.on("internalMessage", ({ cmd, msg }, handle) => {
  if (cmd !== "NODE_HANDLE" || handle || msg?.act !== "newconn") return;
  worker.send({ cmd: "NODE_CLUSTER", ack: msg.seq, accepted: true }, () => {});
  worker.send("full", () => {});
});

// A terminal and systemd send a signal to all processes. The main process says when this one ends.
for (const event of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(event, () => {});
worker.on("message", (message) => message === "end" && endOnce());

function fail(message, error) {
  log("error", "fault", { message, cause: errorText(error) });
  process.exit(1);
}
