// `order-cost serve` as a child process, and requests to it.
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { start } from "./command.js";

/** The command, once it serves: its first line, its address, what it said on stderr, and `end`, which gives its exit code. */
export async function served(...args) {
  const command = start(["serve", "--port", "0", ...args]);
  const errors = [];
  command.stderr.on("data", (chunk) => errors.push(chunk));
  const closed = once(command, "close");
  const stderr = () => `${Buffer.concat(errors)}`;
  const came = await Promise.race([once(createInterface(command.stdout), "line"), closed]);
  assert.equal(typeof came[0], "string", `it ended: ${stderr()}`);
  const end = async (signal = "SIGTERM") => {
    command.kill(signal);
    return (await closed)[0];
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
