// A switch that was planned for a second, under load, in several copies of the service: each order is that of one version,
// whole, the version of its moment, and none waits for a text because of the switch.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { CURRENT_KEY, versionKey } from "../../pkg/catalogue/keys.js";
import { currentText, makeVersion, squareZones } from "./catalogue.js";
import { onEachPlatform } from "./platforms.js";
import { makeOrder } from "./switch-orders.js";

const COPIES = ["one", "two", "three"];
const CONNECTIONS_EACH = 4;
const PRODUCTS = 2_000;
const BRANCHES = ["1000", "1001"];
const SHOP = { products: PRODUCTS, branches: BRANCHES };
/** How long before and after the switch orders come. */
const AROUND_MS = 1_500;

/** In satang. The planned version changes every tenth product, and the delivery fee. */
const priceOf = (isNew, cprcode, branchId) => cprcode * 7 + 1 + (branchId === "1001" ? 500 : 0) + (isNew && cprcode % 10 === 0 ? 1_000_003 : 0);
const feeOf = (isNew) => (isNew ? 5_500 : 4_000);
const baht = (satang) => `${Math.floor(satang / 100)}.${`${satang % 100}`.padStart(2, "0")}`;

const CODES = Array.from({ length: PRODUCTS }, (_, cprcode) => cprcode);
const pricesOf = (isNew, codes) =>
  Object.fromEntries(
    BRANCHES.flatMap((branchId) => codes.map((code) => [`${code}/${branchId}`, `{"price":${baht(priceOf(isNew, code, branchId))}}`])),
  );
const zonesOf = (isNew) => squareZones(feeOf(isNew) / 100);

const changed = pricesOf(true, CODES.filter((code) => code % 10 === 0));
const OLD = await makeVersion(pricesOf(false, CODES), zonesOf(false), { shardCount: 16 });
const NEW = await makeVersion(pricesOf(false, CODES), zonesOf(true), { shardCount: 16, above: [changed] });
const TEXTS = { ...OLD.texts, ...NEW.texts, [versionKey(NEW.id)]: JSON.stringify({ ...NEW.manifest, pushedAt: "2026-11-23T09:00:00.000Z" }) };

onEachPlatform((platform) => {
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
    return { isNew, sentAt, answeredAt: Date.now(), timing: response.headers.get("server-timing") };
  }

  const everything = (branchId) => ({ branchId, productList: CODES.map((cprcode) => ({ cprcode, productName: "x", quantity: 1 })) });

  test("each order has the version of its moment, and reads nothing because of the switch", async (context) => {
    await control({ texts: { ...TEXTS, [CURRENT_KEY]: currentText(OLD) } });
    for (const copy of COPIES) for (const branchId of BRANCHES) await price(copy, everything(branchId));

    const at = Date.now() + 3 * AROUND_MS;
    const next = { id: NEW.id, at: new Date(at).toISOString() };
    await control({ texts: { ...TEXTS, [CURRENT_KEY]: currentText(OLD, { next }) } });
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
    let seed = 10;
    const load = COPIES.flatMap((copy) =>
      Array.from({ length: CONNECTIONS_EACH }, async () => {
        while (Date.now() < at + AROUND_MS) orders.push(await price(copy, makeOrder(seed++, SHOP)));
      }),
    );
    await Promise.all(load);

    for (const { isNew, sentAt, answeredAt } of orders) {
      if (answeredAt < at) assert.equal(isNew, false, "too early");
      if (sentAt >= at) assert.equal(isNew, true, "too late");
    }
    const [olds, news] = [false, true].map((isNew) => orders.filter((order) => order.isNew === isNew).length);
    context.diagnostic(`${orders.length} orders: ${olds} before, ${news} after`);
    assert.ok(olds > 50 && news > 50, `${olds}, ${news}`);
    assert.deepEqual(await contentsAsked(), []);
    assert.deepEqual(orders.filter(({ timing }) => !/ 0 reads/.test(timing)), []);
  });
}, { isBusy: true });
