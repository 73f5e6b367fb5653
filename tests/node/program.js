// The service on Node, started as an operator starts it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { UNHURRIED } from "../until.js";

const MAIN = fileURLToPath(new URL("../../worker/src/node/main.js", import.meta.url));

const { PATH, NODE_V8_COVERAGE } = process.env;
const SYSTEM = { PATH, ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }) };

/**
 * Starts the program, with one process on a free port unless the variables say otherwise.
 * @param {Record<string, string>} [variables]
 * @param {{ args?: string[] }} [options]
 */
export function startProgram(variables, { args = [] } = {}) {
  const env = { ...SYSTEM, PORT: "0", WORKERS: "1", ...UNHURRIED, ...variables };
  const program = watch(spawn(process.execPath, [MAIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] }));
  started.push(program);
  return program;
}

const started = [];

/** Ends what a test has left, whether it passed or not. */
export const killAll = () => Promise.all(started.splice(0).map((program) => program.kill()));

/** @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} child that logs an event `listening` with its `url` */
export function watch(child) {
  const lines = [];
  const errors = [];
  const heard = new Set();
  createInterface(child.stdout).on("line", (line) => {
    lines.push(line);
    for (const listener of heard) listener(line);
  });
  createInterface(child.stderr).on("line", (line) => errors.push(line));
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const hear = (listener) => {
    lines.forEach(listener);
    heard.add(listener);
  };
  const listening = new Promise((resolve) => hear((line) => line.includes('"event":"listening"') && resolve(JSON.parse(line).url)));
  const failed = ended.then(({ code }) => Promise.reject(new Error(`It ended with ${code}: ${[...errors, ...lines].join("\n")}`)));
  const url = Promise.race([listening, failed]);
  url.catch(() => {}); // a test may not ask
  return {
    child,
    /** The address, once it listens. */
    url,
    /** What it printed, line by line. */
    lines,
    errors,
    /** Calls a function with each line, also with those that were there before. */
    hear,
    /** Its exit code and signal, once it has ended. */
    ended,
    records: (event) => lines.map((line) => JSON.parse(line)).filter((record) => event === undefined || record.event === event),
    /** Its processes end with it. */
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
