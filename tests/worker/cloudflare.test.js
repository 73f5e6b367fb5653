// What the service has on Cloudflare alone: bulk reads of KV and its limits, a URL in place of a binding.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { listen } from "../ports.js";
import { until } from "../until.js";
import { entriesOf, makeVersion } from "./catalogue.js";
import { workerd } from "./on-workerd.js";

const PRODUCTS = 250;
const prices = Object.fromEntries(Array.from({ length: PRODUCTS }, (_, index) => [`${5000 + index}/1000`, '{"price":1}']));
const productList = Array.from({ length: PRODUCTS }, (_, index) => ({ cprcode: 5000 + index, productName: "x", quantity: 1 }));
/** So many shards that the order has more than KV reads at once. */
const VERSION = await makeVersion(prices, null, { shardCount: 512 });

let service;
let remote;

before(async () => {
  remote = http.createServer((_, response) => response.end('{"deliveryFee":33}'));
  const url = `${await listen(remote)}/rates`;
  const stores = { catalogue: "store/Store", vouchers: "store/Store" };
  service = await workerd.start({
    copies: {
      bound: { ...stores, nationwide: "services/Service" },
      "with-url": { ...stores, nationwide: "services/Service", vars: { NATIONWIDE_URL: url } },
      limited: { ...stores, limit: 1 },
    },
    fakes: ["store", "services"],
  });
});

after(async () => {
  await service?.stop();
  remote?.close();
});

async function price(copy, order) {
  const response = await fetch(`${await service.url(copy)}/calculatecost4`, { method: "POST", body: JSON.stringify(order) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("prices are read in chunks of KV's 100 keys, all at once, and then kept", async () => {
  await service.control("store", { texts: entriesOf(VERSION), only: "shard:", held: true });
  const priced = price("bound", { productList });
  const chunks = async () => (await service.state("store")).asked.filter((keys) => Array.isArray(keys) && keys[0].startsWith("shard:"));
  await until("two chunks are asked for", async () => (await chunks()).length === 2);
  const [whole, rest] = (await chunks()).sort((left, right) => right.length - left.length);
  assert.equal(whole.length, 100);
  assert.ok(rest.length < 100 && new Set([...whole, ...rest]).size === whole.length + rest.length);
  await service.control("store", { held: false });
  assert.equal((await priced).body.subTotal, PRODUCTS);
  assert.equal((await price("bound", { productList })).body.subTotal, PRODUCTS);
  assert.deepEqual(await chunks(), []);
});

test("a voucher whose key KV cannot hold is not found, and no store is asked", async () => {
  await service.control("store", { texts: entriesOf(VERSION), only: "", held: false });
  const voucherId = "x".repeat(600);
  const { body } = await price("bound", { productList, voucherId: [voucherId] });
  assert.deepEqual(body, { error: `Voucher ${voucherId} not found` });
  assert.doesNotMatch(JSON.stringify((await service.state("store")).asked), /voucher:x/);
});

test("a URL replaces a binding", async () => {
  const shipping = { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE" }], shippingPostcode: "answers" };
  assert.equal((await price("bound", { productList, shipping })).body.deliveryFee, 77);
  assert.equal((await price("with-url", { productList, shipping })).body.deliveryFee, 33);
});

test("the rate limiter does not say when, so a client waits for the longest period", async () => {
  const answers = [];
  for (let sent = 0; sent < 3; sent += 1) answers.push(await price("limited", { productList })); // its minute may end between two
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0, "all were let through");
  assert.equal(refused[0].headers.get("retry-after"), "60");
});
