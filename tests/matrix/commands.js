// Runs the consumers' programs. Each has its own process group, so that it ends together with its children.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PATIENCE_MS } from "../until.js";

const START_MS = 180_000;

const groups = new Set();

process.once("exit", () => groups.forEach((pid) => signal(pid, "SIGKILL")));
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => process.exit(1));

/** The environment of the programs: quiet tools, and nothing of the test runner. */
const { NODE_TEST_CONTEXT, NODE_OPTIONS, FORCE_COLOR, NODE_ENV, ...inherited } = process.env;
const ENVIRONMENT = {
  ...inherited,
  ...nodeHeaders(),
  CI: "1",
  NO_COLOR: "1",
  DO_NOT_TRACK: "1",
  ASTRO_TELEMETRY_DISABLED: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  DENO_NO_UPDATE_CHECK: "1",
};

/** Runs a program to its end and returns its stdout. If it fails, its whole output is the error. */
export async function run(program, args, cwd) {
  const running = start(program, args, cwd);
  const [code, endedBy] = await running.ended;
  if (code === 0) return running.stdout();
  throw new Error(`${told(program, args)} ended with ${code ?? endedBy}:\n${running.output()}`);
}

/**
 * Starts a server and waits until `url` answers; its host and port are also in the variables HOST and PORT. Returns a
 * function that stops it with SIGTERM and returns its exit code (null if a signal ended it) and its output.
 */
export async function serve(program, args, cwd, url) {
  const { hostname: HOST, port: PORT } = new URL(url);
  const server = start(program, args, cwd, { HOST, PORT });
  const deadline = Date.now() + START_MS;
  while (!(await answers(url))) {
    if (server.isOver() || Date.now() > deadline) {
      await stop(server);
      throw new Error(`${told(program, args)} did not come to serve ${url}:\n${server.output()}`);
    }
    await wait(100);
  }
  return () => stop(server);
}

/** A package that has to be compiled takes Node's headers from here, if they are installed, not from the internet. */
function nodeHeaders() {
  const prefix = path.dirname(path.dirname(realpathSync(process.execPath)));
  return existsSync(path.join(prefix, "include/node/node.h")) ? { npm_config_nodedir: prefix } : {};
}

function start(program, args, cwd, variables = {}) {
  const env = { ...ENVIRONMENT, ...variables };
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const [all, out] = [[], []];
  child.stdout.on("data", (chunk) => all.push(chunk) && out.push(chunk));
  child.stderr.on("data", (chunk) => all.push(chunk));
  groups.add(child.pid);
  child.once("exit", () => signal(child.pid, "SIGKILL")); // ends its remaining children
  const ended = once(child, "close").finally(() => groups.delete(child.pid));
  ended.catch(() => {}); // the caller handles the rejection
  return {
    pid: child.pid,
    ended,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    stdout: () => Buffer.concat(out).toString(),
    output: () => Buffer.concat(all).toString(),
  };
}

async function stop({ pid, ended, isOver, output }) {
  if (!isOver()) signal(pid, "SIGTERM");
  await Promise.race([ended, wait(PATIENCE_MS, undefined, { ref: false })]);
  if (!isOver()) signal(pid, "SIGKILL");
  const [code] = await ended;
  return { code, output: output() };
}

/** Sends a signal to the whole process group. */
function signal(pid, name) {
  if (pid === undefined) return; // it did not start
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // it has already ended
  }
}

async function answers(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined;
}

const told = (program, args) => [program, ...args].join(" ");
