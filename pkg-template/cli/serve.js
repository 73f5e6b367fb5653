// `order-cost serve`
import { createServer } from "node:http";
import { createNodeListener } from "order-cost/http";
import { createFetchHandler } from "order-cost/worker";
import { Failure, sentence } from "./files/index.js";
import { CurrentPricer, pricerOptions } from "./pricing/index.js";

/** For a whole order, as at the edge. */
const ORDER_DEADLINE_MS = 10_000;

/** @typedef {import("order-cost").Pricer} Pricer */

/** Serves the routes until a signal comes. Resolves to the exit code. */
export async function serve({ facts, zones, host, port, ...options }, terminal) {
  const pricer = new CurrentPricer(facts, zones, pricerOptions(options));
  await pricer.check();
  const { maxBodyBytes } = options;
  const pricing = /** @type {Pick<Pricer, "calculateJson">} */ (pricer); // a handler calls nothing else
  const handle = createFetchHandler(() => /** @type {Pricer} */ (pricing), { deadlineMs: ORDER_DEADLINE_MS, maxBodyBytes });
  const server = createServer(createNodeListener(answering));
  server.keepAliveTimeout = 0; // A connection that ends while a client sends its next order would fail a test.

  /** @param {Parameters<typeof handle>} args */
  async function answering(...args) {
    const response = await handle(...args);
    if (!response.ok) terminal.say(await faultOf(args[0], response.clone()));
    if (!server.listening) response.headers.set("connection", "close");
    return response;
  }

  await listen(server, host, port);
  return new Promise((resolve) => {
    const stop = () => {
      server.close(() => resolve(0));
      setTimeout(() => server.closeAllConnections(), ORDER_DEADLINE_MS).unref();
    };
    terminal.onSignal(stop);
    terminal.write(`Listening on ${addressOf(server)}\n`);
  });
}

function listen(server, host, port) {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new Failure(`cannot listen on ${host}:${port}: ${sentence(error)}`)));
    server.listen(port, host, resolve);
  });
}

function addressOf(server) {
  const { address, family, port } = server.address();
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** Which request failed, and why. */
async function faultOf({ method, url }, response) {
  const code = response.headers.get("x-order-cost-error") ?? "";
  const { error } = await response.json();
  return [method, new URL(url).pathname, response.status, code, error].filter((word) => word !== "").join(" ");
}
