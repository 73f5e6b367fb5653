// The service is restarted under load, and no order is lost or wrong.
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { before, test } from "node:test";
import { openDir } from "../../worker/data/store/dir-store.js";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { entriesOf, makeVersion } from "../worker/catalogue.js";
import { startProgram } from "./program.js";
import { CONNECTIONS, post, whileReloaded, whileUpdated, withAnswers } from "./rolling.js";

const ORDERS = allAtNight(300, 5_000);
const PRODUCTS = allAtNight(50, 1_000);
const BRANCH = "1000";
const LINES = 20;

const prices = Object.fromEntries(
  Array.from({ length: PRODUCTS }, (_, cprcode) => [`${cprcode}/${BRANCH}`, `{"price":${cprcode + 1}.25}`]),
);
const version = await makeVersion(prices);
const versions = new Map([[version.id, (key) => prices[key]]]);
const orders = Array.from({ length: PRODUCTS }, (_, turn) => withAnswers(orderOf(turn), versions));

function orderOf(turn) {
  const lines = Array.from({ length: LINES }, (_, line) => (turn + 47 * line) % PRODUCTS);
  return {
    branchId: BRANCH,
    productList: lines.map((cprcode, line) => ({ cprcode, productName: `Product ${cprcode}`, quantity: line + 1 })),
  };
}

const folder = temporaryFolder();
before(async () => {
  await openDir({ dir: folder }).put(Object.entries(entriesOf(version)).map(([key, value]) => ({ key, value })));
});

const start = () => startProgram({ WORKERS: "2", CATALOGUE_DIR: folder });

for (const [what, whileRestarted] of [
  ["processes are replaced by SIGHUP", whileReloaded],
  ["two instances are ended and started in turn", whileUpdated],
]) {
  test(`${ORDERS} orders while ${what}`, async (context) => {
    const { sent, lost, wrong, restarts, connections, failures } = await whileRestarted(start, orders, ORDERS);
    context.diagnostic(`${restarts} restarts, ${connections} connections`);
    assert.deepEqual({ sent, lost, wrong, failures }, { sent: ORDERS, lost: [], wrong: [], failures: [] });
    assert.ok(restarts > 0);
  });
}

test("SIGTERM: an order on an open connection is answered, though no process has the connection yet", async () => {
  const program = start();
  const url = await program.url;
  const agent = new http.Agent();
  const connected = [];
  agent.createConnection = (...options) => {
    const socket = net.createConnection(...options);
    connected.push(once(socket, "connect"));
    return socket;
  };
  const sent = orders.slice(0, CONNECTIONS);
  const answers = Promise.allSettled(sent.map(({ body }) => post(url, body, agent)));
  await Promise.all(connected);
  assert.equal(connected.length, CONNECTIONS);
  program.child.kill("SIGTERM");
  const bytes = (await answers).map(({ value, reason }) => value?.bytes ?? reason);
  assert.deepEqual(
    bytes,
    sent.map((order) => order.answers.get(version.id)),
  );
  assert.deepEqual(await program.ended, { code: 0, signal: null });
});
