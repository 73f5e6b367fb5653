// A switch that was planned for a second, under load, in several copies of the service: each order is that of one version,
// whole, none is new before its time, and none waits for a text because of the switch.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { CURRENT_KEY, versionKey } from "../../pkg/catalogue/keys.js";
import { allAtNight } from "../effort.js";
import { squareZones } from "../zones.js";
import { currentText, makeVersion } from "./catalogue.js";
import { node } from "./on-node.js";
import { onEachPlatform, PLATFORMS } from "./platforms.js";
import { makeOrder } from "./switch-orders.js";

const COPIES = ["one", "two", "three"];
const CONNECTIONS_EACH = 2;
const PRODUCTS = 500;
const BRANCHES = ["1000", "1001"];
const SHOP = { products: PRODUCTS, branches: BRANCHES };
/** As many orders come on each side of the switch. */
const ORDERS = allAtNight(30, 100);
/** The switch is first planned for later, within the two minutes in which copies read beforehand, and for soon when orders have come. */
const [LATER_MS, SOON_MS] = [110_000, 500];

/** In satang. The planned version changes every tenth product, and the delivery fee. */
const priceOf = (isNew, cprcode, branchId) =>
  cprcode * 7 + 1 + (branchId === "1001" ? 500 : 0) + (isNew && cprcode % 10 === 0 ? 1_000_003 : 0);
const feeOf = (isNew) => (isNew ? 5_500 : 4_000);
const baht = (satang) => `${Math.floor(satang / 100)}.${`${satang % 100}`.padStart(2, "0")}`;

const CODES = Array.from({ length: PRODUCTS }, (_, cprcode) => cprcode);
const pricesOf = (isNew, codes) =>
  Object.fromEntries(
    BRANCHES.flatMap((branchId) => codes.map((code) => [`${code}/${branchId}`, `{"price":${baht(priceOf(isNew, code, branchId))}}`])),
  );
const zonesOf = (isNew) => JSON.stringify(squareZones(feeOf(isNew) / 100));

const changed = pricesOf(
  true,
  CODES.filter((code) => code % 10 === 0),
);
const OLD = await makeVersion(pricesOf(false, CODES), zonesOf(false), { shardCount: 16 });
const NEW = await makeVersion(pricesOf(false, CODES), zonesOf(true), { shardCount: 16, above: [changed] });
const TEXTS = {
  ...OLD.texts,
  ...NEW.texts,
  [versionKey(NEW.id)]: JSON.stringify({ ...NEW.manifest, pushedAt: "2026-11-23T09:00:00.000Z" }),
};

onEachPlatform(
  (platform) => {
    let service;

    before(async () => {
      const copy = { catalogue: "catalogue/Store", vars: { DATA_REFRESH_SECONDS: "0" } };
      service = await platform.start({ copies: Object.fromEntries(COPIES.map((name) => [name, copy])), fakes: ["catalogue"] });
    });

    after(() => service?.stop());

    const control = (change) => service.control("catalogue", change);
    const contentsAsked = async () => (await service.state("catalogue")).asked.filter(Array.isArray).flat();

    /** The naive sum. */
    function grandTotalOf({ branchId, productList, shipping }, isNew) {
      const rows = productList.map(({ cprcode, quantity }) => quantity * priceOf(isNew, cprcode, branchId));
      return rows.reduce((sum, row) => sum + row, 0) + (shipping ? feeOf(isNew) : 0);
    }

    async function price(copy, order) {
      const sentAt = Date.now();
      const response = await fetch(`${await service.url(copy)}/calculatecost4`, { method: "POST", body: JSON.stringify(order) });
      const body = await response.json();
      assert.equal(response.status, 200, JSON.stringify(body));
      const isNew = response.headers.get("x-order-cost-data") === NEW.id;
      assert.equal(Math.round(body.grandTotal * 100), grandTotalOf(order, isNew));
      return { copy, isNew, sentAt, answeredAt: Date.now(), timing: response.headers.get("server-timing") };
    }

    const everything = (branchId) => ({ branchId, productList: CODES.map((cprcode) => ({ cprcode, productName: "x", quantity: 1 })) });

    test("no order is new too early, or old after a new one, and none reads anything because of the switch", async (context) => {
      await control({ texts: { ...TEXTS, [CURRENT_KEY]: currentText(OLD) } });
      for (const copy of COPIES) for (const branchId of BRANCHES) await price(copy, everything(branchId));

      let at;
      const plan = (ms) => {
        at = Date.now() + ms;
        const next = { id: NEW.id, at: new Date(at).toISOString() };
        return control({ texts: { ...TEXTS, [CURRENT_KEY]: currentText(OLD, { next }) } });
      };
      await plan(LATER_MS);
      // One look finds the plan, the next reads what its orders will want: until nothing more is read.
      for (let look = 0, before = -1, now = 0; look < 4 || now > before; look += 1) {
        for (const copy of COPIES) await price(copy, makeOrder(look, SHOP));
        await wait(100);
        [before, now] = [now, (await contentsAsked()).length];
      }
      const warmed = await contentsAsked();
      assert.ok(warmed.some((key) => key.startsWith("shard:")) && warmed.some((key) => key.startsWith("zones:")), `${warmed}`);
      await control({}); // forgets what was asked

      const orders = [];
      const count = (isNew) => orders.filter((order) => order.isNew === isNew).length;
      let seed = 10;
      let planned;
      const switchSoon = async () => {
        assert.deepEqual(await contentsAsked(), []);
        await plan(SOON_MS);
      };
      const load = COPIES.flatMap((copy) =>
        Array.from({ length: CONNECTIONS_EACH }, async () => {
          while (count(true) < ORDERS) {
            orders.push(await price(copy, makeOrder(seed++, SHOP)));
            if (count(false) >= ORDERS) planned ??= switchSoon();
          }
        }),
      );
      await Promise.all([...load, planned]);

      for (const { isNew, answeredAt } of orders) assert.ok(!isNew || answeredAt >= at, "too early");
      for (const copy of COPIES) {
        const own = orders.filter((order) => order.copy === copy);
        const first = Math.min(...own.filter(({ isNew }) => isNew).map(({ answeredAt }) => answeredAt));
        assert.ok(
          own.every(({ isNew, sentAt }) => isNew || sentAt <= first),
          "back to the old version",
        );
      }
      context.diagnostic(`${orders.length} orders: ${count(false)} before, ${count(true)} after`);
      assert.deepEqual(await contentsAsked(), []);
      assert.deepEqual(
        orders.filter(({ timing }) => !/ 0 reads/.test(timing)),
        [],
      );
    });
  },
  { isBusy: true, platforms: allAtNight([node], PLATFORMS) },
);
