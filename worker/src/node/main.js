#!/usr/bin/env node
// `npm start`: the service on Node, in several processes on one port. www/docs/service/deploy.md says more.
import process from "node:process";
import { parseArgs } from "node:util";
import { log } from "../log/index.js";
import { Processes } from "./processes.js";
import { refuseMissingFolder, settingsOf, variablesIn } from "./settings.js";

const HELP = `Usage: npm start [-- --env-file FILE]

Starts the service on Node. Its variables come from the environment and from FILE, lines of NAME=value;
the environment counts where both have one. www/docs/reference/variables.md describes them.

Signals:
  SIGTERM, SIGINT  takes no new connections, ends the orders under way, exit code 0
  SIGHUP           reads FILE again and replaces the processes one after another; no order is lost`;

function argumentsOf() {
  try {
    return parseArgs({ options: { "env-file": { type: "string" }, help: { type: "boolean", short: "h" } } }).values;
  } catch (error) {
    console.error(`order-cost: ${/** @type {Error} */ (error).message}`);
    process.exit(2);
  }
}

const { "env-file": envFile, help } = argumentsOf();
if (help) {
  console.log(HELP);
  process.exit(0);
}

/** What the file says and the environment does not, and what both mean. Throws if something is wrong with them. */
async function configuration() {
  const env = await variablesIn(envFile, process.env);
  const all = { ...process.env, ...env };
  const settings = settingsOf(all);
  await refuseMissingFolder(all);
  return { env, settings };
}

const { env, settings } = await configuration().catch((error) => {
  console.error(`order-cost: ${error.message}`);
  process.exit(1);
});

process.stdout.on("error", () => {}); // whoever reads the log has gone: that must not end orders
const processes = new Processes(env, settings);
let isReplacing = false;
let isWantedAgain = false;

process.on("SIGHUP", () => void replaceInTurn());
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void end(signal));

const address = await processes.start(settings.processes);
if (!address) process.exit(1); // the process has said why
if (!processes.isEnding) await tellListening(address);

async function tellListening({ port }) {
  if (settings.metricsPort !== undefined) await startMetrics();
  const url = `http://${urlHost(settings.host)}:${port}`;
  log("info", "listening", { url, processes: settings.processes, pid: process.pid });
}

async function startMetrics() {
  const { serveMetrics } = await import("./metrics-server.js");
  await serveMetrics(processes, settings).catch((error) => {
    log("error", "fault", { message: `${settings.host}:${settings.metricsPort} cannot be listened on`, cause: error.message });
    process.exit(1);
  });
}

/** All signals that come meanwhile are one. */
async function replaceInTurn() {
  isWantedAgain = true;
  if (isReplacing) return;
  isReplacing = true;
  while (isWantedAgain) {
    isWantedAgain = false;
    await replace();
  }
  isReplacing = false;
}

async function replace() {
  try {
    const { env, settings } = await configuration();
    const isDone = await processes.replace(env, settings);
    if (isDone === undefined) return;
    const message = isDone ? "All processes were replaced" : "A new process did not start: the others stay as they were";
    log(isDone ? "info" : "error", "reload", { message });
  } catch (error) {
    log("error", "reload", { message: "Nothing was replaced", cause: /** @type {Error} */ (error).message });
  }
}

/** npm passes on a signal that the whole group gets: the second one must not end the orders. */
async function end(signal) {
  if (processes.isEnding) return;
  log("info", "end", { message: `${signal}: the orders under way are ended` });
  await processes.end();
  process.exit(0);
}

function urlHost(host) {
  return host.includes(":") ? `[${host}]` : host;
}
