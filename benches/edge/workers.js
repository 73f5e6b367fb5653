// The deployed Worker in workerd, many isolates of it, with slow stores and services.
import { readFile } from "node:fs/promises";
import http from "node:http";
import { bundle, startWorkerd } from "../../tests/worker/workerd.js";

const PATH = "/calculatecost4";
const KEYS_AT_ONCE = 200;

/**
 * @param {number} isolates how many there are
 * @param {Iterable<[string, string]>} texts what the store has, by key
 */
export async function startIsolates(isolates, texts) {
  const [app, code] = await Promise.all([bundle("worker/wrangler.dev.jsonc"), readFile(new URL("slow.js", import.meta.url), "utf8")]);
  const slow = { name: "slow", modules: [{ type: "ESModule", path: "index.js", contents: code }] };
  const store = { name: "slow", entrypoint: "Store" };
  const { kvNamespaces, ...rest } = app;
  const isolate = (_, index) => ({
    ...rest,
    name: `order-cost-${index}`,
    cache: false, // all isolates of one workerd share it
    serviceBindings: { CATALOGUE: store, VOUCHERS: store, NATIONWIDE: "slow", COUPONS: "slow" },
  });
  const workerd = await startWorkerd([...Array.from({ length: isolates }, isolate), { ...slow, compatibilityDate: app.compatibilityDate }]);
  const urls = await Promise.all(Array.from({ length: isolates }, (_, index) => workerd.url(`order-cost-${index}`)));
  const slowUrl = await workerd.url("slow");
  await fill(slowUrl, texts);
  return {
    /** Prices an order in an isolate; gives the milliseconds until the last byte. */
    price: (index, order) => timed(`${urls[index]}${PATH}`, JSON.stringify(order)),
    /** The reads of the store since the last call: how many, and their keys and bytes. */
    counts: async () => (await fetch(slowUrl)).json(),
    stop: workerd.stop,
  };
}

async function fill(url, texts) {
  let some = [];
  const send = async () => void (await fetch(url, { method: "PUT", body: JSON.stringify(some) }));
  for (const entry of texts) {
    if (some.push(entry) < KEYS_AT_ONCE) continue;
    await send();
    some = [];
  }
  await send();
}

const agent = new http.Agent({ keepAlive: true });

function timed(url, body) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - start);
        else reject(new Error(`${url}: ${response.statusCode} ${Buffer.concat(chunks)}`));
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}
