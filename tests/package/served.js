// `order-cost serve` in the test's own process or in one of its own, and requests to it.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { main } from "../../pkg/command.js";
import { start } from "./command.js";

/** The command in the test's process, once it serves: its first line, its address, what it said on stderr, and `end`, which gives its exit code. */
export function served(...args) {
  const [stdout, stderr, signals] = [new PassThrough(), new PassThrough(), new EventEmitter()];
  const ended = main(serving(args), { stdout, stderr, env: {}, once: (...on) => signals.once(...on) });
  return begun({ stdout, stderr, kill: (signal) => signals.emit(signal) }, ended);
}

/** The same as a process. */
export function servedApart(...args) {
  const command = start(serving(args));
  return begun(
    command,
    once(command, "close").then(([code]) => code),
  );
}

/** On a free port, where none is asked for. */
const serving = (args) => ["serve", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args];

async function begun(command, ended) {
  const errors = [];
  command.stderr.on("data", (chunk) => errors.push(chunk));
  const stderr = () => `${Buffer.concat(errors)}`;
  const came = await Promise.race([once(createInterface(command.stdout), "line"), ended]);
  assert.ok(Array.isArray(came), `it ended: ${stderr()}`);
  const end = (signal = "SIGTERM") => {
    command.kill(signal);
    return ended;
  };
  return { line: came[0], url: came[0].replace("Listening on ", ""), stderr, end };
}

export async function ask(url, body, { route = "calculatecost4", ...options } = {}) {
  const response = await fetch(`${url}/${route}`, { method: "POST", body, ...options });
  const { status, headers } = response;
  return { status, text: await response.text(), code: headers.get("x-order-cost-error"), requestId: headers.get("x-request-id"), headers };
}

export const post = (url, order, options) => ask(url, JSON.stringify(order), options);

/** An order whose body has begun. `complete` sends the rest and gives the answer. */
export async function beginOrder(url, order) {
  const body = JSON.stringify(order);
  const upload = request(`${url}/calculatecost4`, { method: "POST" });
  upload.write(body.slice(0, 10));
  await once(upload, "socket");
  await post(url, {}); // By now the command has read the beginning.
  return async () => {
    upload.end(body.slice(10));
    const [response] = await once(upload, "response");
    return { text: `${Buffer.concat(await response.toArray())}`, headers: response.headers };
  };
}
