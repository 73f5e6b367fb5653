// The shadow Worker as wrangler bundles it, in front of the pricing Worker and an old service, on real workerd with real
// KV and R2.
import { readFile } from "node:fs/promises";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { UNHURRIED, until } from "../until.js";
import { makeVersion, publish } from "../worker/catalogue.js";
import { bundle, startWorkerd } from "../worker/workerd.js";
import { box, collection, zone } from "../zones.js";
import { startLegacy } from "./legacy.js";

export const ZONES = JSON.stringify(
  collection(zone({ brcode: 1000, deliveryFee: 60 }, box(100, 13)), zone({ brcode: 1000, deliveryFee: 90 }, box(100.5, 13.5))),
);

export const PRICES = { "5000/1000": '{"price":10.50,"weight":1}', "5001/1000": '{"price":0.1,"settlementPrice":12345678901234567.10}' };

export const VOUCHERS = {
  OWN: '{"ownerId":"malee-planted","value":50.0,"isActive":true,"isUsed":false,"note":"planted note"}',
  OTHER: '{"ownerId":"somchai-planted","value":777,"isActive":true,"isUsed":false,"note":"planted note"}',
};

/**
 * @param {Record<string, Record<string, unknown>>} shadows the variables of each shadow Worker, by its name; `isFake` binds it
 *   to a new side that misbehaves, `isKeyed` to a pricing Worker with the key `s3cret`, `isCapturing` to a bucket
 */
export async function startShop(shadows) {
  const [app, shadow, code] = await Promise.all([
    bundle("worker/wrangler.dev.jsonc"),
    bundle("worker/migration/wrangler.jsonc"),
    readFile(new URL("fakes.js", import.meta.url), "utf8"),
  ]);
  const { compatibilityDate, compatibilityFlags } = app;
  const r2Buckets = Object.fromEntries(Object.keys(shadows).map((name) => [name, `captures-${name}`]));
  const pricingWorker = (name, variables) => ({
    ...app,
    name,
    bindings: { ...app.bindings, LOG_SAMPLE: "1", ...UNHURRIED, ...variables },
    serviceBindings: { NATIONWIDE: "fakes", COUPONS: "fakes" },
  });
  let pricing;
  const legacy = await startLegacy(async (body) => (await send(`${pricing}/calculatecost4`, { body })).body);
  const workerd = await startWorkerd([
    pricingWorker(app.name),
    pricingWorker("keyed-pricing", { API_KEYS: "s3cret", ALLOWED_ORIGINS: "https://shop.example" }),
    { name: "fakes", modules: [{ type: "ESModule", path: "index.js", contents: code }], compatibilityDate, compatibilityFlags, r2Buckets },
    ...Object.entries(shadows).map(([name, { isFake = false, isKeyed = false, isCapturing = false, ...bindings }]) => ({
      ...shadow,
      name,
      bindings: {
        LEGACY_URL: `${legacy.url}/old`,
        REDACT_KEY: "the key of the tests: no secret, but long enough",
        ORDER_DEADLINE_MS: UNHURRIED.ORDER_DEADLINE_MS,
        ...bindings,
      },
      serviceBindings: { NEW: { name: isFake ? "fakes" : isKeyed ? "keyed-pricing" : app.name, entrypoint: "Capture" } },
      r2Buckets: isCapturing ? { CAPTURE: r2Buckets[name] } : {},
    })),
  ]);
  pricing = await workerd.url(app.name);
  const fakes = await workerd.url("fakes");
  const urls = Object.fromEntries(await Promise.all(Object.keys(shadows).map(async (name) => [name, await workerd.url(name)])));
  await publish(await workerd.kv(app.name, "CATALOGUE"), await makeVersion(PRICES, ZONES));
  const vouchers = await workerd.kv(app.name, "VOUCHERS");
  for (const [id, text] of Object.entries(VOUCHERS)) await vouchers.put(`voucher:${id}`, text);

  const lines = [];
  let read = 0;
  const linesOf = (event) => {
    for (; read < workerd.logs.length; read += 1) if (workerd.logs[read].startsWith("{")) lines.push(JSON.parse(workerd.logs[read]));
    return lines.filter((line) => line.event === event);
  };

  return {
    pricing,
    keyed: await workerd.url("keyed-pricing"),
    urls,
    legacy,
    logs: workerd.logs,
    linesOf,
    /** What a shadow Worker has written to its bucket: the texts by key, in the sequence of the keys. */
    captures: async (name) => new Map(Object.entries(JSON.parse((await send(`${fakes}/${name}`, { method: "GET" })).body))),
    /** The log's line about the comparison of an order. */
    comparisonOf: (requestId) =>
      eventually(() => linesOf("shadow").find((line) => line.requestId === requestId), `a comparison of ${requestId}`),
    async stop() {
      await legacy.stop();
      await workerd.stop();
    },
  };
}

/** Waits until `find` finds something, and returns it. */
export async function eventually(find, what) {
  let found;
  await until(`there is ${what}`, async () => (found = await find()));
  return found;
}

/** workerd may end a connection that waits for the next request. */
const agent = new http.Agent({ keepAlive: false });

/** A request by node's own client, which decodes nothing. Rejects if the answer breaks off. */
export function send(url, { method = "POST", headers = {}, body, signal } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent, signal }, async (response) => {
      try {
        resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) });
      } catch (error) {
        reject(error);
      }
    });
    request.on("error", reject);
    request.end(body);
  });
}
