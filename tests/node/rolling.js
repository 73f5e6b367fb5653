// Orders over connections that are kept open, each answer checked byte for byte, while the service is replaced below them.
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { price } from "../model/price.js";
import { PATIENCE_MS, until } from "../until.js";

export const CONNECTIONS = 32;

/** Between two restarts: the new processes serve for a while. */
const PAUSE_MS = 300;

/** Time since an instance gets no new connections. A load balancer learns this late: preStop in Kubernetes waits for it. */
const PRE_STOP_MS = 100;

/**
 * An order, and its answer from each version, calculated by the naive model.
 * @param {import("order-cost").OrderInput} order
 * @param {Map<string, (key: string) => string>} versions the price record of `<cprcode>/<branchId>`, by the version's id
 */
export function withAnswers(order, versions) {
  const answers = new Map();
  for (const [id, recordOf] of versions) {
    const keys = order.productList.map(({ cprcode }) => `${cprcode}/${order.branchId}`);
    const { text, error } = price({ order, host: { prices: Object.fromEntries(keys.map((key) => [key, recordOf(key)])) } });
    if (text === undefined) throw new Error(`The model cannot price the order: ${error}`);
    answers.set(id, Buffer.from(text));
  }
  return { body: Buffer.from(JSON.stringify(order)), answers };
}

/**
 * Sends orders over 32 connections. A connection sends the next order once it has the answer, and no order a second time.
 * It stays with its address until the service says `connection: close`.
 *
 * @param {ReturnType<typeof withAnswers>[]} orders sent in turn
 * @param {object} options
 * @param {() => string} options.address where the next connection goes
 * @param {(sent: number) => boolean} options.isOver
 * @param {(answer: { version: string, ms: number, at: number }) => void} [options.onAnswer] `at`: when it came
 * @returns {Promise<{ sent: number, connections: number, lost: string[], wrong: string[] }>}
 */
export async function sendOrders(orders, { address, isOver, onAnswer = () => {} }) {
  /** @type {{ sent: number, connections: number, lost: string[], wrong: string[] }} */
  const result = { sent: 0, connections: 0, lost: [], wrong: [] };

  async function send(agent, url) {
    const order = orders[result.sent++ % orders.length];
    const begun = performance.now();
    const { statusCode, headers, bytes } = await post(url, order.body, agent);
    const at = performance.now();
    const version = headers["x-order-cost-data"];
    if (statusCode === 200 && order.answers.get(version)?.equals(bytes)) onAnswer({ version, ms: at - begun, at });
    else result.wrong.push(`${statusCode}, version ${version}: ${bytes.subarray(0, 200)}`);
    return headers.connection !== "close";
  }

  async function connect() {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const url = address();
    result.connections += 1;
    try {
      while (!isOver(result.sent) && (await send(agent, url)));
    } catch (error) {
      result.lost.push(/** @type {Error} */ (error).message);
    } finally {
      agent.destroy();
    }
  }

  async function stayConnected() {
    while (!isOver(result.sent)) await connect();
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, stayConnected));
  return result;
}

/** Sends a body once; gives the whole answer. */
export function post(url, body, agent) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    const request = http.request(`${url}/calculatecost4`, { method: "POST", agent, headers, timeout: PATIENCE_MS }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ statusCode: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }));
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    request.on("error", reject);
    request.end(body);
  });
}

/**
 * Sends orders to a service while its processes are replaced again and again (SIGHUP).
 * @param {() => ReturnType<typeof import("./program.js").startProgram>} start
 */
export async function whileReloaded(start, orders, count) {
  const program = start();
  const url = await program.url;
  const restarts = await restartDuring(
    orders,
    count,
    () => url,
    async (restarts) => {
      program.child.kill("SIGHUP");
      await until("all processes are replaced", () => program.records("reload").length === restarts + 1);
    },
  );
  const failures = program.records("reload").filter(({ level }) => level !== "info");
  await end(program);
  return { ...restarts, failures };
}

/**
 * Sends orders to two instances of a service while each in turn is ended (SIGTERM) and started again, as in a
 * rolling update of Kubernetes.
 */
export async function whileUpdated(start, orders, count) {
  const instances = [start(), start()];
  const addresses = await Promise.all(instances.map(({ url }) => url));
  let turn = 0;
  const address = () => {
    const open = addresses.filter(Boolean);
    return open[turn++ % open.length];
  };
  const restarts = await restartDuring(orders, count, address, async (restarts) => {
    const place = restarts % instances.length;
    addresses[place] = undefined;
    await wait(PRE_STOP_MS);
    await end(instances[place]);
    instances[place] = start();
    addresses[place] = await instances[place].url;
  });
  await Promise.all(instances.map(end));
  return { ...restarts, failures: [] };
}

async function restartDuring(orders, count, address, restart) {
  let isSent = false;
  const sending = sendOrders(orders, { address, isOver: (sent) => sent >= count }).finally(() => (isSent = true));
  let restarts = 0;
  for (; !isSent; restarts += 1) {
    await restart(restarts);
    await wait(PAUSE_MS);
  }
  return { restarts, ...(await sending) };
}

async function end(program) {
  program.child.kill("SIGTERM");
  const { code, signal } = await program.ended;
  if (code !== 0) throw new Error(`It ended with ${code ?? signal}: ${[...program.errors, ...program.lines].join("\n")}`);
}
