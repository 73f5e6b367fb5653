// The Worker's pricing in Node, with a store in memory: what the codes of its failures are, and that orders share a
// version's pricer.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createStoreReader } from "../../worker/src/cloudflare/store-reader.js";
import { createHost } from "../../worker/src/look-ups/host.js";
import { readOptions } from "../../worker/src/options/options.js";
import { Order } from "../../worker/src/orders/order.js";
import { createPricing } from "../../worker/src/orders/pricing.js";
import { connectCatalogue } from "../../worker/src/service/connected-catalogue.js";
import { squareZones } from "../zones.js";
import { entriesOf, makeVersion } from "./catalogue.js";

const ZONES = JSON.stringify(squareZones(60));
const VERSION = await makeVersion({ "1/1000": '{"price":5}' }, ZONES);
const DELIVERED = {
  productList: [{ cprcode: 1, productName: "x", quantity: 1 }],
  shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], shippingLat: 13.5, shippingLon: 100.5 },
};

const NO_RECEIPTS = { begin: () => undefined };

function pricingOf(env, hold = () => {}) {
  const options = readOptions(env);
  const read = createStoreReader(env.CATALOGUE, undefined, hold);
  return createPricing(createHost({}, options.services), options.pricer, connectCatalogue(read, { ...options.data, hold }), NO_RECEIPTS);
}

/** `texts` is what the store has. */
function priceWith(pricing, body, context = new Order()) {
  if (!context.versionInUse) pricing.begin(context);
  return pricing.calculateJson(body, { context });
}

function setUp(t, texts, env = {}) {
  t.mock.method(console, "log", () => {});
  const get = mock.fn(async (keys) => {
    return Array.isArray(keys) ? new Map(keys.map((key) => [key, texts[key] ?? null])) : (texts[keys] ?? null);
  });
  const variables = { DATA_MAX_AGE_SECONDS: "0", ...env };
  const pricing = pricingOf({ CATALOGUE: { get }, ...variables });
  const priced = async (order = DELIVERED, context = new Order()) => {
    return JSON.parse(new TextDecoder().decode(await priceWith(pricing, JSON.stringify(order), context)));
  };
  return { get, pricing, priced };
}

test("orders that come together share a version's pricer: its zones are read once", async (t) => {
  const { get, priced } = setUp(t, entriesOf(VERSION), { CACHE_BYTES: "0" });
  const answers = await Promise.all(Array.from({ length: 20 }, () => priced()));
  assert.deepEqual(
    answers.map(({ grandTotal }) => grandTotal),
    Array(20).fill(65),
  );
  const asked = get.mock.calls.flatMap((call) => [call.arguments[0]].flat());
  assert.equal(asked.filter((key) => key.startsWith("zones:")).length, 1);
});

for (const [what, texts, code, message] of [
  ["nothing is published", {}, "PRICE_LOOKUP_FAILED", "No catalogue has been published yet"],
  ["the catalogue cannot be read", { current: "{}" }, "PRICE_LOOKUP_FAILED", "The catalogue cannot be read"],
  ["a shard is missing", { current: entriesOf(VERSION).current }, "PRICE_LOOKUP_FAILED", "The price store is incomplete: try again"],
  [
    "the zones are missing",
    Object.fromEntries(Object.entries(entriesOf(VERSION)).filter(([key]) => !key.startsWith("zones:"))),
    "DELIVERY_ZONES_FAILED",
    "The zone store is incomplete: try again",
  ],
]) {
  test(`${what}: the order can be tried again`, async (t) => {
    const { priced } = setUp(t, texts);
    await assert.rejects(priced(), { code, retryable: true, message });
  });
}

test("each order names the version that it was priced with, while another is taken up", async (t) => {
  const texts = entriesOf(VERSION);
  const { get, priced } = setUp(t, texts, { CACHE_BYTES: "0" });
  const other = await makeVersion({ "1/1000": '{"price":7}' }, ZONES);
  let release;
  get.mock.mockImplementationOnce(async () => entriesOf(VERSION).current, 0);
  get.mock.mockImplementationOnce((keys) => {
    const found = new Map(keys.map((key) => [key, texts[key]]));
    return new Promise((resolve) => (release = () => resolve(found)));
  }, 1);
  const [older, newer] = [new Order(), new Order()];
  const slow = priced(DELIVERED, older);
  while (!release) await new Promise(setImmediate);
  Object.assign(texts, entriesOf(other));
  assert.equal((await priced(DELIVERED, newer)).subTotal, 7);
  release();
  assert.equal((await slow).subTotal, 5);
  assert.deepEqual(
    [older, newer].map(({ version }) => version.id),
    [VERSION.id, other.id],
  );
});

test("an order keeps the version of the moment when its headers came, however long its body takes", async (t) => {
  const other = await makeVersion({ "1/1000": '{"price":7}' }, ZONES);
  const texts = { ...entriesOf(VERSION), ...other.texts };
  const { pricing, priced } = setUp(t, texts);
  const [older, newer] = [new Order(), new Order()];
  pricing.begin(older);
  await older.versionInUse;
  texts.current = entriesOf(other).current;
  pricing.begin(newer);
  assert.deepEqual([(await priced(DELIVERED, newer)).subTotal, (await priced(DELIVERED, older)).subTotal], [7, 5]);
});

test("versions with the same zones share a pricer, and each order has the prices of its own version", async (t) => {
  const other = await makeVersion({ "1/1000": '{"price":7}' }, ZONES);
  const texts = { ...entriesOf(VERSION), ...other.texts };
  const { get, priced } = setUp(t, texts, { CACHE_BYTES: "0" });
  for (const [version, grandTotal] of [
    [VERSION, 65],
    [other, 67],
    [VERSION, 65],
    [other, 67],
  ]) {
    texts.current = entriesOf(version).current;
    assert.equal((await priced()).grandTotal, grandTotal);
  }
  const asked = get.mock.calls.flatMap((call) => [call.arguments[0]].flat());
  assert.equal(asked.filter((key) => key.startsWith("zones:")).length, 1);
});

test("the read of zones outlives the order that began it, even while it waits for another's read", async (t) => {
  t.mock.method(console, "log", () => {});
  const texts = entriesOf(VERSION);
  const get = async (keys) => (Array.isArray(keys) ? new Map(keys.map((key) => [key, texts[key] ?? null])) : texts[keys]);
  const kept = [];
  const pricing = pricingOf({ CATALOGUE: { get } }, (work) => kept.push(work));
  await priceWith(pricing, JSON.stringify(DELIVERED));
  // The look, the shard, the zones, and the zones' call itself.
  assert.equal(kept.length, 4);
});

test("two large orders at a time; small ones do not wait for them", async () => {
  let running = 0;
  let most = 0;
  const version = {
    id: "v",
    zones: null,
    async lookupPrices(keys) {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
      return keys.map(() => '{"price":5}');
    },
    deliveryZones: () => "",
  };
  const pricing = createPricing({ lookUps: {}, keepRates() {} }, readOptions({}).pricer, { current: () => version }, NO_RECEIPTS);
  const send = (specialComment) => {
    const body = JSON.stringify({ productList: [{ cprcode: 1, productName: "x", quantity: 1 }], specialComment });
    return priceWith(pricing, new TextEncoder().encode(body));
  };
  await Promise.all(Array.from({ length: 6 }, () => send("x".repeat(300_000))));
  assert.equal(most, 2);
  await Promise.all(Array.from({ length: 6 }, () => send("x")));
  assert.equal(most, 6);
});
