// A basket that is kept over a reload, and what of it is nobody else's (order-cost/keep).
import assert from "node:assert/strict";
import { afterEach, beforeEach, suite, test } from "node:test";
import { createPricer } from "order-cost";
import { keep, restore } from "order-cost/keep";
import { hostFromFacts } from "order-cost/testing";
import { callsOf, FACTS, FULL, orderOf, product } from "./basket-shop.js";
import { thrown } from "./errors.js";
import { fakeTime } from "./fake-time.js";

const NAME = "order-cost.basket";
const MINUTE = 60_000;

let time;
beforeEach(() => {
  time = fakeTime();
  time.tick(1_000 * MINUTE);
});
afterEach(() => time.restore());

/** A storage with these texts by name. */
function storageOf(texts = {}) {
  const stored = new Map(Object.entries(texts));
  return { stored, getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => void stored.set(name, text) };
}

/** A page: its pricer, and its host, which counts its calls. */
async function visit(facts = FACTS, options = {}) {
  const host = hostFromFacts(facts);
  return { host, pricer: await createPricer(host, options) };
}

/** A storage after a page has settled this order and kept it, and what that page showed. */
async function keptBy(order, { vouchers, facts = FACTS, edit = () => {} } = {}) {
  const { pricer } = await visit(facts);
  const basket = pricer.basket(order, { facts: pricer.facts() });
  await basket.settle();
  edit(basket);
  const storage = storageOf();
  keep(basket, storage, { vouchers })();
  return { storage, shown: basket.snapshot };
}

/** The functions that were asked. */
const askedOf = (host) => callsOf(host).map(([name]) => name);

/** What the next page shows at once, and what it asks to settle. */
async function reload(storage, options, { facts = FACTS, pricing } = {}) {
  const { host, pricer } = await visit(facts, pricing);
  const { basket } = restore(pricer, storage, options);
  const shown = basket.snapshot;
  if (shown.rows.length > 0) await basket.settle();
  return { basket, shown, asked: askedOf(host) };
}

const changed = (storage, change) => {
  const found = JSON.parse(storage.getItem(NAME));
  change(found);
  return storageOf({ [NAME]: JSON.stringify(found) });
};

suite("a reload", () => {
  test("with vouchers: shows the total that was there, and asks nothing", async () => {
    const { storage, shown } = await keptBy(FULL, { vouchers: true });
    assert.equal(shown.totals.grandTotal, 100);
    const after = await reload(storage, { ownerId: "malee" });
    assert.deepEqual(JSON.stringify(after.shown), JSON.stringify(shown));
    assert.deepEqual([after.basket.initialSnapshot.status, after.asked], ["current", []]);
  });

  test("without vouchers: the last settled totals stand beside the total, and only vouchers and coupons are asked", async () => {
    const { storage, shown } = await keptBy(FULL);
    const after = await reload(storage, { ownerId: "malee" });
    assert.deepEqual(after.shown.settledTotals, shown.totals);
    assert.deepEqual([after.shown.status, after.shown.totals.grandTotal], ["pending", 160]);
    assert.deepEqual(after.asked, ["lookupVouchers", "validateCoupons"]);
    assert.equal(after.basket.totals.grandTotal, 100);
  });

  test("amounts stay exact, and coupons fall on their lines", async () => {
    const value = "0.100000000000000000001";
    const vouchers = { V1: `{"ownerId":"malee","value":${value},"isActive":true,"isUsed":false,"note":"\\ud83d \\"ก\\""}` };
    const facts = { ...FACTS, vouchers };
    const order = { ...FULL, couponCodeList: ["B"] };
    const { storage } = await keptBy(order, { vouchers: true, facts });
    const { basket, asked } = await reload(storage, { ownerId: "malee" }, { facts });
    const { pricer } = await visit(facts);
    assert.deepEqual(
      Buffer.from(basket.responseJson()).toString(),
      Buffer.from(await pricer.calculateJson(JSON.stringify(order))).toString(),
    );
    assert.deepEqual([basket.rows[0].discountedRowTotal, asked], [95, []]);
  });

  test("an invalid voucher of the customer's own stays invalid, and a repeated or escaped id is one", async () => {
    const used = { ownerId: "malee", value: 5, isActive: true, isUsed: true };
    const facts = { ...FACTS, vouchers: { ...FACTS.vouchers, 'a\\b"': used } };
    const order = { ...FULL, voucherId: ['a\\b"', "V1", "V1"] };
    const { storage, shown } = await keptBy(order, { vouchers: true, facts });
    assert.deepEqual(shown.invalidVouchers[0].reasons, ["used"]);
    const after = await reload(storage, { ownerId: "malee" }, { facts });
    assert.deepEqual([JSON.stringify(after.shown), after.asked], [JSON.stringify(shown), []]);
  });

  test("an edit that was not settled: what is known counts, the coupons are asked for the new basket", async () => {
    const { storage, shown } = await keptBy(FULL, { vouchers: true, edit: (basket) => basket.setQuantity(0, 2) });
    const after = await reload(storage, { ownerId: "malee" });
    assert.deepEqual([after.shown.pending, after.asked], [["coupons"], ["validateCoupons"]]);
    assert.deepEqual(after.shown.settledTotals, shown.settledTotals);
    assert.equal(after.basket.totals.grandTotal, 200);
  });

  test("a basket of a lenient pricer", async () => {
    const pricing = { input: "lenient" };
    const { pricer } = await visit(FACTS, pricing);
    const { basket } = restore(pricer, storageOf(), { ownerId: "malee" });
    basket.replace({ ...FULL, productList: [{ ...product(), quantity: "2" }] });
    await basket.settle();
    const storage = storageOf();
    keep(basket, storage, { vouchers: true })();
    const { shown, asked } = await reload(storage, { ownerId: "malee" }, { pricing });
    assert.deepEqual([shown.status, shown.totals.grandTotal, asked], ["current", 200, []]);
  });

  test("the answers keep their ages over several reloads", async () => {
    const { storage } = await keptBy(FULL, { vouchers: true });
    const times = (storage) => JSON.parse(storage.getItem(NAME)).own.map((answer) => answer[3]);
    time.tick(5 * MINUTE);
    const { basket } = await reload(storage, { ownerId: "malee" });
    const again = storageOf();
    keep(basket, again, { vouchers: true })();
    assert.deepEqual(times(again), times(storage));
    assert.equal(times(again).length, 2);
  });
});

suite("too old", () => {
  test("after 15 minutes vouchers and coupons are dropped, and prices count until they are asked again", async () => {
    const { storage } = await keptBy(FULL, { vouchers: true });
    time.tick(15 * MINUTE - 1);
    assert.deepEqual((await reload(storage, { ownerId: "malee" })).asked, []);
    time.tick(1);
    const { shown, asked, basket } = await reload(storage, { ownerId: "malee" });
    assert.deepEqual([shown.status, shown.totals.grandTotal, shown.settledTotals.grandTotal], ["pending", 160, 100]);
    assert.deepEqual(asked, ["lookupPrices", "nationwideRate", "lookupVouchers", "validateCoupons"]);
    assert.equal(basket.totals.grandTotal, 100);
  });

  test("a page that was open for longer keeps its coupon answer: there it counted until the end", async () => {
    const { pricer, host } = await visit();
    const { basket } = restore(pricer, storageOf(), { ownerId: "malee" });
    basket.replace(FULL);
    await basket.settle();
    time.tick(20 * MINUTE);
    await basket.settle();
    assert.equal(askedOf(host).filter((name) => name === "validateCoupons").length, 1);
    const storage = storageOf();
    keep(basket, storage, { vouchers: true })();
    const { shown, asked } = await reload(storage, { ownerId: "malee" });
    assert.deepEqual([shown.status, shown.totals.grandTotal, asked], ["current", 100, []]);
    time.tick(15 * MINUTE);
    assert.ok((await reload(storage, { ownerId: "malee" })).asked.includes("validateCoupons"));
  });

  test("maxAgeMs says when", async () => {
    const { storage } = await keptBy(FULL, { vouchers: true });
    time.tick(60 * MINUTE);
    assert.deepEqual((await reload(storage, { ownerId: "malee", maxAgeMs: 61 * MINUTE })).asked, []);
    assert.equal((await reload(storage, { ownerId: "malee", maxAgeMs: 1 })).asked.length, 4);
  });

  test("a time in the future is not believed", async () => {
    const { storage } = await keptBy(FULL, { vouchers: true });
    const ahead = changed(storage, ({ own }) => own.forEach((answer) => (answer[3] += 60 * MINUTE)));
    assert.deepEqual((await reload(ahead, { ownerId: "malee" })).asked, ["lookupVouchers", "validateCoupons"]);
  });

  test("a refreshed voucher is not kept", async () => {
    const { storage } = await keptBy(FULL, { vouchers: true, edit: (basket) => basket.refresh() });
    assert.deepEqual(JSON.parse(storage.getItem(NAME)).own, []);
  });

  test("a basket without a fact store has no times: all is asked again", async () => {
    const { pricer } = await visit();
    const basket = pricer.basket(FULL);
    await basket.settle();
    const storage = storageOf();
    keep(basket, storage, { vouchers: true })();
    assert.equal((await reload(storage, { ownerId: "malee" })).asked.length, 4);
  });
});

suite("whose it is", () => {
  test("D30: another owner gets nothing of what was kept", async () => {
    const { storage } = await keptBy(FULL, { vouchers: true });
    for (const ownerId of ["somchai", "Malee", ""]) {
      const { pricer } = await visit();
      const { basket, facts } = restore(pricer, storage, { ownerId });
      assert.deepEqual(basket.order, { productList: [], ownerId });
      assert.deepEqual([facts.toJSON().prices, basket.snapshot.settledTotals.grandTotal], [{}, 0]);
    }
  });

  test("D30: without ownerId, the order comes back, and its vouchers and coupons are asked", async () => {
    const { storage } = await keptBy(FULL, { vouchers: true });
    const { basket, shown, asked } = await reload(storage);
    assert.deepEqual([basket.order.ownerId, shown.validVouchers, shown.discountResult.discounts], ["malee", [], []]);
    assert.deepEqual(asked, ["lookupVouchers", "validateCoupons"]);
  });

  test("D30: another's voucher is never kept, named by the order or shared by the store", async () => {
    const { pricer } = await visit();
    const facts = pricer.facts();
    const other = pricer.basket({ ...orderOf(product()), ownerId: "somchai", voucherId: ["V2"] }, { facts });
    await other.settle();
    const basket = pricer.basket({ ...FULL, voucherId: ["V2", "V1"] }, { facts });
    await basket.settle();
    const storage = storageOf();
    keep(basket, storage, { vouchers: true })();
    assert.deepEqual(
      JSON.parse(storage.getItem(NAME)).own.map(([kind, name]) => (kind === "vouchers" ? name : kind)),
      ["V1", "coupons"],
    );
    assert.doesNotMatch(storage.getItem(NAME), /somchai/);
    const { basket: again, asked } = await reload(storage, { ownerId: "malee" });
    assert.deepEqual(again.snapshot.invalidVouchers, [{ voucherId: "V2", reasons: ["ownerMismatch"] }]);
    assert.deepEqual(asked, ["lookupVouchers"]);
  });

  test("D31: of an order without an owner, no voucher and no coupons are kept", async () => {
    const { ownerId: _, ...order } = FULL;
    const { storage } = await keptBy(order, { vouchers: true });
    assert.deepEqual(JSON.parse(storage.getItem(NAME)).own, []);
  });

  test("nobody's basket becomes the customer's who logs in", async () => {
    const { storage } = await keptBy(orderOf(product()), { vouchers: true });
    const { basket, asked } = await reload(storage, { ownerId: "malee" });
    assert.deepEqual([basket.order.ownerId, basket.rows.length, asked], ["malee", 1, []]);
  });

  test("D30: what somebody has written into the storage shows no more of another's voucher than its id", async () => {
    const { storage } = await keptBy(FULL, { vouchers: true });
    const forged = changed(storage, ({ own: [voucher] }) => (voucher[2] = voucher[2].replace("malee", "somchai")));
    const { basket } = await reload(forged, { ownerId: "malee" });
    assert.deepEqual(basket.snapshot.invalidVouchers, [{ voucherId: "V1", reasons: ["ownerMismatch"] }]);
  });

  test("nothing of the customer's own is written unless it is asked for", async () => {
    const { storage } = await keptBy(FULL);
    assert.deepEqual(JSON.parse(storage.getItem(NAME)).own, []);
  });
});

suite("the very request", () => {
  for (const [what, change] of [
    ["another quantity", (found) => (found.order.productList[0].quantity = 3)],
    ["another code", (found) => found.order.couponCodeList.push("SHIP")],
    ["another price", (found) => (found.facts.prices["1001/1000"] = '{"price":99.99}')],
    ["another rate", (found) => (found.facts.rates["10110/DRY"] = '{"deliveryFee":61}')],
    ["another order id", (found) => (found.order.orderId = "7")],
  ]) {
    test(`${what}: the coupons are asked`, async () => {
      const { storage } = await keptBy(FULL, { vouchers: true });
      const { shown, asked } = await reload(changed(storage, change), { ownerId: "malee" });
      assert.deepEqual([shown.discountResult.discounts, asked], [[], ["validateCoupons"]]);
    });
  }

  test("another policy: an answer that it refuses counts as none", async () => {
    const facts = { ...FACTS, coupons: { discounts: [{ coupon: "A", percentageDiscount: 10 }] } };
    const { storage } = await keptBy(FULL, { vouchers: true, facts });
    const { host, pricer } = await visit(FACTS, { policy: { foldedDiscounts: "percentage" } });
    const { basket } = restore(pricer, storage, { ownerId: "malee" });
    assert.deepEqual([basket.status, basket.pending, basket.problems], ["pending", ["coupons"], []]);
    await basket.settle();
    assert.deepEqual([askedOf(host), basket.totals.cartDiscount], [["validateCoupons"], 10]);
  });
});

suite("damage", () => {
  const EMPTY = { productList: [] };

  test("what is no text of ours is nothing", async () => {
    const { pricer } = await visit();
    const { storage } = await keptBy(FULL, { vouchers: true });
    const whole = storage.getItem(NAME);
    for (const text of ["", "null", "1", "[]", "{}", '"x"', '{"version":1}', "\ud800", whole.slice(1), whole.slice(0, -1)]) {
      const { basket } = restore(pricer, storageOf({ [NAME]: text }));
      assert.deepEqual([basket.order, basket.problems], [EMPTY, []], text);
    }
  });

  for (const [what, change] of [
    ["another version", (found) => (found.version = 2)],
    ["no order", (found) => delete found.order],
    ["an order that is a list", (found) => (found.order = [])],
    ["an order without products", (found) => delete found.order.productList],
    ["a product without a code", (found) => delete found.order.productList[0].cprcode],
    ["an owner that is no text", (found) => (found.order.ownerId = 5)],
    ["facts that are a list", (found) => (found.facts = [])],
    ["a negative price", (found) => (found.facts.prices["1001/1000"] = '{"price":-1}')],
    ["a price that is no JSON", (found) => (found.facts.prices["1001/1000"] = '{"price":')],
    ["a wrong time", (found) => (found.facts.at.prices["1001/1000"] = "now")],
    ["a voucher that is no JSON", ({ own: [voucher] }) => (voucher[2] = voucher[2].slice(0, -1))],
    ["a voucher of another id", ({ own: [voucher] }) => (voucher[2] = voucher[2].replace("{", '{"voucherId":"V9",'))],
    ["a voucher with a negative value", ({ own: [voucher] }) => (voucher[2] = voucher[2].replace("50", "-50"))],
    ["no list of answers", (found) => (found.own = {})],
  ]) {
    test(`${what}: nothing counts`, async () => {
      const { pricer } = await visit();
      const { storage } = await keptBy(FULL, { vouchers: true });
      const { basket, facts } = restore(pricer, changed(storage, change), { ownerId: "malee" });
      assert.deepEqual(basket.order, { ...EMPTY, ownerId: "malee" });
      assert.deepEqual([basket.problems, facts.toJSON().prices], [[], {}]);
    });
  }

  for (const [what, change, asked] of [
    ["entries that are no answers", (found) => found.own.push(null, 5, [], ["x", "y", "z", 0], ["coupons", {}, "{}", 0]), []],
    ["a voucher that was not found", ({ own: [voucher] }) => (voucher[2] = " null"), ["lookupVouchers"]],
    ["a voucher without a time", ({ own: [voucher] }) => (voucher[3] = null), ["lookupVouchers"]],
    ["coupons that are no JSON", ({ own: [, coupons] }) => (coupons[2] = "{"), ["validateCoupons"]],
    ["coupons with a negative amount", ({ own: [, coupons] }) => (coupons[2] = coupons[2].replace("10", "-10")), ["validateCoupons"]],
    ["coupons of another request", ({ own: [, coupons] }) => (coupons[1] = "0"), ["validateCoupons"]],
    ["totals that are no numbers", (found) => (found.settledTotals.grandTotal = "100"), []],
    ["totals of another kind", (found) => (found.settledTotals = { grandTotal: 1 }), []],
  ]) {
    test(`${what}: the rest counts`, async () => {
      const { storage } = await keptBy(FULL, { vouchers: true });
      const after = await reload(changed(storage, change), { ownerId: "malee" });
      assert.deepEqual([after.shown.problems, after.asked], [[], asked]);
      assert.equal(after.basket.totals.grandTotal, 100);
      if (asked.length > 0) assert.equal(after.shown.status, "pending");
    });
  }

  test("damaged totals are no settledTotals", async () => {
    const { storage } = await keptBy(FULL);
    for (const settledTotals of [null, 1, [], {}, "x", { grandTotal: 5 }]) {
      const { shown } = await reload(changed(storage, (found) => (found.settledTotals = settledTotals)));
      assert.equal(shown.settledTotals, null);
    }
  });

  test("a storage that is full, blocked or not there stops no page", async (t) => {
    const { pricer } = await visit();
    const fail = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    for (const storage of [{ getItem: fail, setItem: fail }, undefined]) {
      if (storage === undefined) Object.defineProperty(globalThis, "localStorage", { get: fail, configurable: true });
      t.after(() => delete globalThis.localStorage);
      const { basket } = restore(pricer, storage);
      assert.deepEqual(basket.order, EMPTY);
      keep(basket, storage)();
    }
  });

  test("wrong options are still refused", async () => {
    const { pricer } = await visit();
    const { storage } = await keptBy(FULL);
    for (const [options, message] of [
      [{ maxAgeMs: -1 }, "Invalid options: maxAgeMs: expected a number of 0 or more"],
      [{ autosettle: true }, "Invalid options: autosettle: unknown, did you mean autoSettle"],
      [{ ownerId: 5 }, "Invalid order: ownerId: expected a string"],
    ]) {
      assert.equal(thrown(() => restore(pricer, storage, options)).message, message);
    }
  });
});

suite("when", () => {
  test("now and whenever the page is hidden, until it is ended or the basket is freed", async (t) => {
    const page = new EventTarget();
    const hide = () => page.dispatchEvent(new Event("pagehide"));
    for (const [name, value] of [
      ["document", page],
      ["addEventListener", page.addEventListener.bind(page)],
    ]) {
      globalThis[name] = value;
      t.after(() => delete globalThis[name]);
    }
    const { pricer } = await visit();
    const storage = storageOf();
    const { basket } = restore(pricer, storage, { name: "mine" });
    const end = keep(basket, storage, { name: "mine" });
    const count = () => JSON.parse(storage.getItem("mine")).order.productList.length;
    assert.equal(count(), 0);
    basket.addProduct(product());
    hide();
    assert.equal(count(), 1);
    basket.addProduct(product());
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(count(), 2);
    end();
    basket.addProduct(product());
    hide();
    assert.equal(count(), 2);
    keep(basket, storage, { name: "mine" });
    assert.equal(count(), 3);
    basket.free();
    hide();
    assert.equal(count(), 3);
  });
});
