// No order harms its neighbours, in workerd too: the 16 largest allowed orders in flight beside plain ones.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import { HOSTILE_ORDERS, PLAIN_ORDER, ZONES } from "../../hostile/orders.js";
import { HOSTILE_AT_ONCE, waitRatio } from "../../hostile/waits.js";
import { makeVersion, publish } from "../catalogue.js";
import { bundle, startWorkerd } from "../workerd.js";

const MIB = 2 ** 20;
/** Bound on the ratio to the worst wait alone; the client's own share is in both. */
const MOST_TIMES = 300;

/** The products of these orders, in each of their branches; half a character reaches the host as U+FFFD. */
const PRICES = Object.fromEntries(
  ["1000", ...["x", "ก", "\ufffd"].map((letter) => letter.repeat(128))].flatMap((branchId) =>
    Array.from({ length: 5_000 }, (_, cprcode) => [`${cprcode}/${branchId}`, '{"price":19.75,"weight":0.5}']),
  ),
);

let workerd;
let url;
let serviceUrl;
/** workerd ends a connection that is idle for 5 s: none is used again after 3. */
const agent = new http.Agent({ keepAlive: true, timeout: 3_000 });

before(async () => {
  const [app, code] = await Promise.all([
    bundle("tests/hostile/wrangler.jsonc"),
    readFile(new URL("../../hostile/service.js", import.meta.url), "utf8"),
  ]);
  const { compatibilityDate, compatibilityFlags } = app;
  const store = { name: "answering", entrypoint: "Store" };
  workerd = await startWorkerd([
    {
      ...app,
      // The service holds an order back by its rate, so each order has to ask for it.
      bindings: { DEADLINE_MS: "0", ORDER_DEADLINE_MS: "0", RATES_CACHE_SECONDS: "0" },
      serviceBindings: { VOUCHERS: store, NATIONWIDE: "answering", COUPONS: "answering" },
    },
    {
      name: "answering",
      modules: [{ type: "ESModule", path: "index.js", contents: code }],
      compatibilityDate,
      compatibilityFlags,
    },
  ]);
  await publish(await workerd.kv(app.name, "CATALOGUE"), await makeVersion(PRICES, JSON.stringify(ZONES)));
  [url, serviceUrl] = await Promise.all([workerd.url(app.name), workerd.url("answering")]);
  await send(plain);
});

after(async () => {
  agent.destroy();
  await workerd?.stop();
});

function exchange(to, method, body = "") {
  return new Promise((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(body) };
    const request = http.request(to, { method, agent, headers }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode, text: `${Buffer.concat(chunks)}` }));
    });
    // workerd closes connections that wait, and one may close while a request is on its way: sent again, as every client does.
    const isClosed = ({ code }) => request.reusedSocket && code === "ECONNRESET";
    request.on("error", (error) => (isClosed(error) ? resolve(exchange(to, method, body)) : reject(error)));
    request.end(body);
  });
}

const plain = Buffer.from(PLAIN_ORDER);
const send = (body) => exchange(`${url}/calculatecost4`, "POST", body);
const memoryBytes = async () => Number((await exchange(url, "GET")).text);
/** Replaces the module instance and returns its memory. */
const renewed = async () => Number((await exchange(url, "PUT")).text);
const hold = (holding) => exchange(serviceUrl, "POST", JSON.stringify({ holding }));

/** The module keeps its memory while an order is in flight. */
async function whileHeld(run) {
  const held = PLAIN_ORDER.replace('"shippingType"', '"shippingPostcode":"held","shippingType"');
  await hold(true);
  const order = send(Buffer.from(held));
  try {
    return await run();
  } finally {
    await hold(false);
    assert.equal((await order).status, 200);
  }
}

for (const [what, text] of Object.entries(HOSTILE_ORDERS)) {
  const hostile = Buffer.from(text);

  describe(`16 at once: ${what}`, () => {
    test("plain orders do not wait long", async (context) => {
      const sendPlain = async () => assert.equal((await send(plain)).status, 200);
      const times = await waitRatio(sendPlain, () => send(hostile), MOST_TIMES);
      context.diagnostic(`${times.toFixed(0).padStart(5)} times the worst wait: ${what}`);
      assert.ok(times < MOST_TIMES, `${times} times`);
    });

    test("the module's memory, for each of them (D45)", async (context) => {
      const before = await renewed();
      const bytes = await whileHeld(async () => {
        await Promise.all(Array.from({ length: HOSTILE_AT_ONCE }, () => send(hostile)));
        return ((await memoryBytes()) - before) / HOSTILE_AT_ONCE;
      });
      const most = 16 * MIB + 8 * hostile.length;
      const [mib, mostMib] = [bytes, most].map((count) => (count / MIB).toFixed(1).padStart(5));
      context.diagnostic(`${mib} of ${mostMib} MiB: ${what}`);
      assert.ok(bytes <= most, `${bytes} bytes`);
    });
  });
}
