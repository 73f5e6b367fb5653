// The zones of captures: to index them takes as long as hundreds of orders.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pricing } from "../../pkg/wasm/order_cost.js";
import { createCaptures } from "../../worker/src/captures/index.js";
import { priced } from "../migration/exchange.js";
import { ZONES } from "../migration/shop.js";

const BODY = new TextEncoder().encode(JSON.stringify({ productList: [{ cprcode: 1, productName: "p", quantity: 1 }] }));
const HOST = { lookupPrices: (keys) => keys.map(() => ({ price: 10 })) };

/** Returns what writes a capture with the zones of a hash, and how often zones were indexed. */
async function capturing(context) {
  const { setDeliveryZones } = Pricing.prototype;
  context.after(() => (Pricing.prototype.setDeliveryZones = setDeliveryZones));
  let indexed = 0;
  Pricing.prototype.setDeliveryZones = function (...given) {
    indexed += 1;
    return setDeliveryZones.apply(this, given);
  };
  const texts = new Map();
  const store = {
    has: async (name) => texts.has(name),
    add: async (name, text) => !texts.has(name) && Boolean(texts.set(name, text)),
  };
  const captures = createCaptures(store, "the key of the tests: no secret, but long enough");
  const { answer, facts } = await priced(BODY, HOST);
  const exchange = {
    requestId: "r-1",
    route: "calculatecost4",
    body: BODY,
    policy: {},
    limits: { maxBodyBytes: 1e6 },
    facts,
    fresh: answer,
  };
  let written = 0;
  return {
    indexed: () => indexed,
    async write(zones) {
      written += 1;
      assert.equal(await captures.write(`day/${written}`, { ...exchange, zones }, async () => ZONES), "written");
    },
  };
}

test("captures of new zones that are written together index them once", async (context) => {
  const { write, indexed } = await capturing(context);
  await Promise.all([write("a"), write("a"), write("a")]);
  assert.equal(indexed(), 1);
});

test("captures without zones leave those of the last two catalogues", async (context) => {
  const { write, indexed } = await capturing(context);
  for (const zones of ["a", null, "b", null, "a", "b"]) await write(zones);
  assert.equal(indexed(), 2);
  for (const zones of ["c", "b", "a"]) await write(zones);
  assert.equal(indexed(), 4);
});
