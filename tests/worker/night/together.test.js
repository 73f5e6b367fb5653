// Orders that come together share their reads. One that has waited half a second for another's read does its own, as it
// should: only on a machine that is quick now and then, each text is read once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CURRENT_KEY } from "../../../pkg/catalogue/keys.js";
import { squareZones } from "../../zones.js";
import { entriesOf, makeVersion } from "../catalogue.js";
import { onEachPlatform } from "../platforms.js";

const COPIES = Array.from({ length: 20 }, (_, index) => `copy-${index}`);
const QUICK_MS = 500;

const prices = Object.fromEntries(Array.from({ length: 5_000 }, (_, code) => [`${code}/1000`, '{"price":3}']));
const VERSION = await makeVersion(prices, JSON.stringify(squareZones(60)), { shardCount: 256, isListed: true });
const shipping = { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], shippingLat: 13.5, shippingLon: 100.5 };
const orderOf = (first) => ({
  shipping,
  productList: Array.from({ length: 20 }, (_, index) => ({ cprcode: first + index, productName: "x", quantity: 1 })),
});
const ORDERS = Array.from({ length: 16 }, (_, index) => orderOf(5 * index));

onEachPlatform(
  (platform) => {
    let service;
    before(async () => {
      const copies = Object.fromEntries(COPIES.map((name) => [name, { catalogue: "catalogue/Store" }]));
      service = await platform.start({ copies, fakes: ["catalogue"] });
    });
    after(() => service?.stop());

    /** How long the orders take in a copy that has read no prices. */
    async function togetherMs(copy) {
      const url = `${await service.url(copy)}/calculatecost4`;
      const store = { texts: entriesOf(VERSION), delayMs: 5 };
      await service.control("catalogue", store);
      await fetch(url, { method: "PUT" }); // its code is loaded
      await service.control("catalogue", store); // forgets what a process of Node asked for as it started
      const begun = performance.now();
      const answers = await Promise.all(
        ORDERS.map((order) => fetch(url, { method: "POST", body: JSON.stringify(order) }).then((answer) => answer.json())),
      );
      for (const { grandTotal } of answers) assert.equal(grandTotal, 20 * 3 + 60);
      return performance.now() - begun;
    }

    test("each text is read once", async () => {
      let tried = 0;
      while ((await togetherMs(COPIES[tried])) > QUICK_MS) assert.ok((tried += 1) < COPIES.length, "no orders were quick");
      const { asked } = await service.state("catalogue");
      const texts = asked.filter(Array.isArray).flat();
      assert.equal(texts.length, new Set(texts).size);
      assert.equal(texts.filter((key) => !key.startsWith("shard:")).length, 3, "the branch's layers, the layer's shards, and the zones");
      assert.ok(asked.filter((key) => key === CURRENT_KEY).length <= 1);
    });
  },
  { isBusy: true },
);
