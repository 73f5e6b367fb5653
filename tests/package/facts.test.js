// What a host has answered, beyond one order: given, kept, shared and aged. API.md, "Facts".
import assert from "node:assert/strict";
import { afterEach, beforeEach, suite, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createPricer, PricingError } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { squareZones } from "../zones.js";
import { assertCurrent, callsOf, DRY, FACTS, FULL, orderOf, product, REGULAR, slowHost, turn } from "./basket-shop.js";
import { errorOf, thrown } from "./errors.js";
import { fakeTime } from "./fake-time.js";

const wasm = await import(new URL("wasm/order_cost.js", import.meta.resolve("order-cost")));

const HOUR = 3_600_000;
const KEY = { cprcode: 1001, branchId: "1000" };

let time;
beforeEach(() => (time = fakeTime()));
afterEach(() => time.restore());

async function shop(options, facts = FACTS) {
  const host = hostFromFacts(facts);
  const pricer = await createPricer(host, options);
  return { host, pricer };
}

/** Over the wire. */
const sent = (store) => JSON.parse(JSON.stringify(store));

suite("given", () => {
  test("prices and rates that a store is made with are not asked, as objects and as texts", async () => {
    const { host, pricer } = await shop();
    const known = { prices: { "1001/1000": { price: 12.5 }, "1002/1000": '{"price":7.10}' }, rates: { "10110/DRY": { deliveryFee: 35 } } };
    const basket = pricer.basket({ ...orderOf(product(), product(1002)), shipping: DRY }, { facts: pricer.facts(known) });
    assert.deepEqual([basket.initialSnapshot.status, basket.totals.grandTotal], ["current", 54.6]);
    await basket.settle();
    assert.deepEqual(callsOf(host), []);
  });

  test("add(): open baskets show it at once, and it replaces what is older", async () => {
    const { pricer } = await shop();
    const facts = pricer.facts();
    const baskets = [pricer.basket(orderOf(product()), { facts }), pricer.basket(orderOf(product(1001, 2)), { facts })];
    const told = baskets.map((basket) => {
      const totals = [];
      basket.subscribe(({ totals: { grandTotal } }) => totals.push(grandTotal));
      return totals;
    });
    facts.add({ prices: { "1001/1000": { price: 9 } } });
    facts.add({ prices: { "1001/1000": { price: 10 } } });
    assert.deepEqual(told, [
      [0, 9, 10],
      [0, 18, 20],
    ]);
    assert.deepEqual(
      baskets.map(({ status }) => status),
      ["current", "current"],
    );
  });

  test("add() with times: what is newer stays", async () => {
    const { pricer } = await shop();
    time.tick(1_000);
    const given = (price, at) => ({ prices: { "1001/1000": { price } }, at: { prices: { "1001/1000": at } } });
    const facts = pricer.facts(given(5, 500));
    const basket = pricer.basket(orderOf(product()), { facts });
    const prices = [
      [6, 499],
      [7, 500],
      [8, 501],
      [9, undefined],
    ].map(([price, at]) => (facts.add(given(price, at)), basket.rows[0].price));
    assert.deepEqual(prices, [5, 7, 8, 9]);
    basket.refresh();
    facts.add(given(3, 1));
    assert.deepEqual([basket.rows[0].price, basket.status], [9, "pending"], "it answers no refresh either");
    facts.add(given(10));
    assert.deepEqual([basket.rows[0].price, basket.status], [10, "current"]);
  });

  test("null is an answer, too: not found", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts({ prices: { "1001/1000": null, "1002/1000": "null" }, rates: { "10110/DRY": null } });
    const basket = pricer.basket({ ...orderOf(product(), product(1002)), shipping: DRY }, { facts });
    assert.deepEqual(
      basket.problems.map(({ code }) => code),
      ["PRODUCT_PRICE_NOT_FOUND", "PRODUCT_PRICE_NOT_FOUND", "NATIONWIDE_RATE_NOT_FOUND"],
    );
    assert.equal((await errorOf(pricer.calculate(basket.order, { facts }))).code, "PRODUCT_PRICE_NOT_FOUND");
    assert.deepEqual(callsOf(host), []);
  });

  test("a key may have slashes: a price's ends the code, a rate's begins the mode", async () => {
    const { pricer } = await shop({}, { prices: {} });
    const facts = pricer.facts({ prices: { "1001/a/b": { price: 3 } }, rates: { "1/2/MIX": { deliveryFee: 4 } } });
    const shipping = { shippingType: "DELIVERY", shippingPostcode: "1/2", scheduleList: [{ nationwideMode: "MIX" }] };
    const basket = pricer.basket({ ...orderOf(product()), branchId: "a/b", shipping }, { facts });
    assert.deepEqual([basket.status, basket.totals.grandTotal], ["current", 7]);
    assert.deepEqual(Object.keys(facts.toJSON().prices), ["1001/a/b"]);
    assert.deepEqual(Object.keys(facts.toJSON().rates), ["1/2/MIX"]);
  });

  const PRICE_KEY = "expected the key <cprcode>/<branchId> such as 1001/1000";
  const UNKNOWN = "unknown; facts are prices, rates, at, vouchers, coupons";
  const WRONG = [
    ["a price", { prices: { "1001/1000": { price: -1 } } }, 'prices["1001/1000"].price', "expected an amount of 0 or more"],
    [
      "a price as text",
      { prices: { "1001/1000": '{"price":"1"}' } },
      'prices["1001/1000"].price',
      "expected an amount as a JSON number, such as 12.5",
    ],
    ["a price that is missing", { prices: { "1001/1000": {} } }, 'prices["1001/1000"].price', "required"],
    [
      "a price that is no number",
      { prices: { "1001/1000": { price: NaN } } },
      'prices["1001/1000"].price',
      "expected an amount as a JSON number, such as 12.5",
    ],
    ["a text that is no JSON", { prices: { "1001/1000": "{" } }, 'prices["1001/1000"]', "expected a record as JSON"],
    [
      "a rate",
      { rates: { "10110/DRY": { deliveryFee: "30" } } },
      'rates["10110/DRY"].deliveryFee',
      "expected an amount as a JSON number, such as 12.5",
    ],
    [
      "a record that throws",
      {
        prices: {
          "1001/1000": {
            toJSON() {
              throw new Error("mine");
            },
          },
        },
      },
      'prices["1001/1000"]',
      "expected a record as JSON",
    ],
    ["a key without a branch", { prices: { 1001: { price: 1 } } }, "prices.1001", PRICE_KEY],
    ...["a/1000", "9007199254740993/1000", " 1001/1000", "1001 /1000", "1001.0/1000", "1e3/1000", "01001/1000", "-0/1000", "+1/1000"].map(
      (key) => [`the key ${JSON.stringify(key)}`, { prices: { [key]: { price: 1 } } }, `prices["${key}"]`, PRICE_KEY],
    ),
    [
      "a key of no mode",
      { rates: { "10110/WET": { deliveryFee: 1 } } },
      'rates["10110/WET"]',
      "expected the key <postcode>/<mode> with DRY, FRESH or MIX",
    ],
    [
      "a time",
      { prices: { "1001/1000": { price: 1 } }, at: { prices: { "1001/1000": "now" } } },
      'at.prices["1001/1000"]',
      "expected a time in ms since 1970",
    ],
    ["times", { at: 5 }, "at", "expected an object"],
    ["times of prices", { at: { prices: 5 } }, "at.prices", "expected an object"],
    ["times in a list", { at: [] }, "at", "expected an object"],
    ["times of something else", { at: { price: {} } }, "at.price", "unknown; times are of prices, rates"],
    ["prices", { prices: "1001" }, "prices", "expected an object"],
    ["rates in a list", { rates: [] }, "rates", "expected an object"],
    ["a name", { price: { "1001/1000": { price: 1 } } }, "price", UNKNOWN],
    ["options in the place of facts", { maxEntries: 5, maxAgeMs: 1 }, "maxEntries", UNKNOWN],
    ["everything", 7, "", "expected an object"],
    ["a list", [], "", "expected an object"],
    ["nothing", null, "", "expected an object"],
  ];
  for (const [what, facts, path, fault] of WRONG) {
    test(`a fault in ${what}: VALIDATION_ERROR with its path, and nothing is taken`, async () => {
      const { pricer } = await shop();
      const store = pricer.facts();
      const good = { "1003/1000": { price: 5 } };
      const given =
        typeof facts === "object" && facts !== null && !Array.isArray(facts) ? { ...facts, prices: { ...good, ...facts.prices } } : facts;
      const error = thrown(() => store.add(what === "prices" || what.startsWith("options") ? facts : given));
      assert.deepEqual(
        [error.code, error.retryable, error.path, error.message],
        ["VALIDATION_ERROR", false, path, `Invalid facts: ${path === "" ? "" : `${path}: `}${fault}`],
      );
      assert.deepEqual(store.toJSON().prices, {});
      store.add({ prices: good });
      assert.deepEqual(Object.keys(store.toJSON().prices), ["1003/1000"], "what was withdrawn stays so");
      assert.ok(thrown(() => pricer.facts(facts)) instanceof PricingError);
    });
  }

  test("vouchers and coupons are ignored, and so are the zones of a file for the command", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts({ ...FACTS, prices: { "1001/1000": { price: 1 } }, rates: undefined, deliveryZones: { features: [] } });
    const basket = pricer.basket(FULL, { facts });
    assert.deepEqual(basket.pending, ["delivery", "coupons", "vouchers"]);
    await basket.settle();
    assert.deepEqual(
      callsOf(host)
        .map(([name]) => name)
        .sort(),
      ["lookupVouchers", "nationwideRate", "validateCoupons"],
    );
  });

  test("what has a toJSON() gives it with the key of nothing, as JSON.stringify does", async () => {
    const { pricer } = await shop();
    const keys = [];
    const given = { toJSON: (...key) => (keys.push(key), { prices: { "1001/1000": { price: 5 } } }) };
    assert.deepEqual(Object.keys(pricer.facts(given).toJSON().prices), ["1001/1000"]);
    assert.deepEqual(keys, [[""]]);
  });

  test("clear() forgets all: baskets ask anew", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts();
    const basket = pricer.basket({ ...FULL, couponCodeList: [] }, { facts });
    await basket.settle();
    host.calls.length = 0;
    facts.clear();
    assert.deepEqual([basket.status, basket.pending, facts.toJSON().prices], ["pending", ["prices", "delivery", "vouchers"], {}]);
    await basket.settle();
    assert.equal(callsOf(host).length, 3);
    await assertCurrent(basket, pricer);
  });
});

suite("kept", () => {
  test("JSON.stringify and back: exact to the digit, with the times, without what is private", async () => {
    const records = {
      "1001/1000": '{"price":0.10000000000000000555,"cost":3,"weight":1e-7}',
      "1002/1000": '{"price":30.10,"isControlledProduct":true,"settlementPrice":29.95}',
    };
    const { pricer } = await shop(
      {},
      { prices: records, rates: { "10110/DRY": '{"deliveryFee":60.50,"nationwideConfig":"cold","margin":1}' } },
    );
    const facts = pricer.facts();
    const order = { ...orderOf(product(), product(1002)), shipping: DRY };
    const response = await pricer.calculateJson(JSON.stringify(order), { facts });
    const json = sent(facts);
    assert.deepEqual(json, {
      prices: {
        "1001/1000":
          '{"price":0.10000000000000000555,"originalPrice":0.10000000000000000555,"weight":0.0000001,"isControlledProduct":false}',
        "1002/1000": '{"price":30.1,"originalPrice":30.1,"weight":0.25,"isControlledProduct":true,"settlementPrice":29.95}',
      },
      rates: { "10110/DRY": '{"deliveryFee":60.5,"nationwideConfig":"cold"}' },
      at: { prices: { "1001/1000": 0, "1002/1000": 0 }, rates: { "10110/DRY": 0 } },
    });
    const elsewhere = await createPricer({});
    assert.deepEqual(await elsewhere.calculateJson(JSON.stringify(order), { facts: elsewhere.facts(json) }), response);
    assert.deepEqual(sent(elsewhere.facts(json)), json, "once more");
    assert.deepEqual(sent(elsewhere.facts(facts)), json, "a store as it is");
  });

  test("vouchers, coupons and failures never leave", async () => {
    const host = { ...hostFromFacts(FACTS), nationwideRate: () => Promise.reject(new Error("closed")) };
    const pricer = await createPricer(host);
    const facts = pricer.facts();
    const basket = pricer.basket({ ...FULL, productList: [product(), product(9)] }, { facts });
    await errorOf(basket.settle());
    const json = sent(facts);
    assert.deepEqual(Object.keys(json).sort(), ["at", "prices", "rates"]);
    assert.deepEqual([json.prices["9/1000"], json.rates], [null, {}]);
    assert.ok(!JSON.stringify(json).includes("V1"));
  });

  test("maxEntries: the oldest that no basket needs go", async () => {
    const { pricer } = await shop();
    const facts = pricer.facts(undefined, { maxEntries: 3 });
    const basket = pricer.basket(orderOf(product(1)), { facts });
    for (const code of [1, 2, 3, 4, 5]) {
      time.tick(1);
      facts.add({ prices: { [`${code}/1000`]: { price: code } } });
    }
    assert.deepEqual(Object.keys(facts.toJSON().prices).sort(), ["1/1000", "4/1000", "5/1000"]);
    basket.addProducts([4, 5, 6, 7].map((code) => product(code)));
    facts.add({ prices: { "6/1000": { price: 6 }, "7/1000": { price: 7 } } });
    assert.equal(Object.keys(facts.toJSON().prices).length, 5, "what is needed stays");
    assert.equal(basket.totals.grandTotal, 23);
    basket.free();
    facts.add({ prices: { "8/1000": { price: 8 } } });
    assert.equal(Object.keys(facts.toJSON().prices).length, 3);
  });
});

suite("shared", () => {
  test("three baskets, a calculation and an explanation: one price is asked once", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts();
    const baskets = [1, 2, 3].map((quantity) => pricer.basket(orderOf(product(1001, quantity)), { facts }));
    const settled = await Promise.all(baskets.map((basket) => basket.settle()));
    assert.deepEqual(
      settled.map(({ grandTotal }) => grandTotal),
      [100, 200, 300],
    );
    assert.equal((await pricer.calculate(orderOf(product()), { facts })).grandTotal, 100);
    assert.equal((await pricer.explain(orderOf(product()), { facts })).order.grandTotal, 100);
    assert.deepEqual(callsOf(host), [["lookupPrices", [KEY]]]);
  });

  test("baskets join each other's calls, and ask only for the rest", async () => {
    const host = slowHost();
    const pricer = await createPricer(host);
    const facts = pricer.facts();
    const first = pricer.basket(orderOf(product(), product(1002)), { facts });
    const second = pricer.basket(orderOf(product(1002), product(1003)), { facts });
    const settled = [first.settle(), second.settle()];
    assert.deepEqual(
      host.asked.lookupPrices.map(({ argument }) => argument.map(({ cprcode }) => cprcode)),
      [[1001, 1002], [1003]],
    );
    host.asked.lookupPrices.shift().answer();
    await turn();
    assert.deepEqual([first.status, second.status, second.rows[0].price], ["current", "pending", 30]);
    host.asked.lookupPrices.shift().answer();
    assert.deepEqual(
      (await Promise.all(settled)).map(({ grandTotal }) => grandTotal),
      [130, 37.25],
    );
  });

  test("a call ends when no basket needs it; that of a freed basket goes on with its context while another needs it", async () => {
    const host = slowHost();
    const pricer = await createPricer(host);
    const facts = pricer.facts();
    const [first, second] = ["one", "two"].map((context) => pricer.basket(orderOf(product()), { facts, context }));
    void errorOf(first.settle());
    const settled = second.settle();
    const [{ context }] = host.asked.lookupPrices;
    first.free();
    assert.deepEqual([host.asked.lookupPrices.length, context.context, context.signal.aborted], [1, "one", false]);
    second.removeProduct(0);
    assert.deepEqual([context.signal.aborted, context.signal.reason.name], [true, "AbortError"]);
    second.addProduct(product());
    await turn();
    assert.equal(host.asked.lookupPrices[1].context.context, "two");
    host.asked.lookupPrices[1].answer();
    assert.equal((await settled).grandTotal, 100);
  });

  test("a calculation never joins another's call, and what it has got counts for all", async () => {
    const host = slowHost();
    const pricer = await createPricer(host);
    const facts = pricer.facts();
    const basket = pricer.basket(orderOf(product()), { facts });
    const settled = basket.settle();
    const calculated = pricer.calculate(orderOf(product()), { facts });
    assert.equal(host.asked.lookupPrices.length, 2);
    host.asked.lookupPrices[1].answer();
    assert.equal((await calculated).grandTotal, 100);
    assert.deepEqual([basket.totals.grandTotal, basket.status], [100, "current"]);
    host.asked.lookupPrices[0].answer();
    assert.equal((await settled).grandTotal, 100);
  });

  test("what a calculation has got counts though it fails", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts();
    assert.equal((await errorOf(pricer.calculate({ ...orderOf(product()), voucherId: ["V9"] }, { facts }))).code, "VOUCHER_NOT_FOUND");
    assert.deepEqual(Object.keys(facts.toJSON().prices), ["1001/1000"]);
    host.calls.length = 0;
    await pricer.calculate(orderOf(product()), { facts });
    assert.deepEqual(callsOf(host), []);
  });

  test("a calculation always asks its vouchers; baskets of a store share them", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts();
    const order = { ...FULL, couponCodeList: [] };
    for (const basket of [1, 2].map(() => pricer.basket(order, { facts }))) await basket.settle();
    assert.deepEqual(
      callsOf(host).map(([name]) => name),
      ["lookupPrices", "nationwideRate", "lookupVouchers"],
    );
    await pricer.calculate(order, { facts });
    await pricer.calculate(order, { facts });
    assert.deepEqual(
      callsOf(host).map(([name]) => name),
      ["lookupVouchers", "lookupVouchers"],
    );
  });

  test("an answer from before a refresh does not answer the refresh, whoever got it", async () => {
    const host = slowHost();
    const pricer = await createPricer(host);
    const facts = pricer.facts();
    const basket = pricer.basket(orderOf(product()), { facts });
    const calculated = pricer.calculate(basket.order, { facts });
    basket.refresh();
    host.asked.lookupPrices[0].answer();
    await calculated;
    assert.deepEqual([basket.status, basket.pending], ["pending", ["prices"]]);
    const later = pricer.calculate(basket.order, { facts });
    host.asked.lookupPrices[1].answer();
    await later;
    assert.equal(basket.status, "current");
  });

  test("coupons belong to their basket", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts();
    const order = { ...orderOf(product()), couponCodeList: ["A"] };
    for (const basket of [1, 2].map(() => pricer.basket(order, { facts }))) assert.equal((await basket.settle()).grandTotal, 90);
    assert.deepEqual(
      callsOf(host).map(([name]) => name),
      ["lookupPrices", "validateCoupons", "validateCoupons"],
    );
  });

  test("a store of another pricer, or none: VALIDATION_ERROR, path facts", async () => {
    const { pricer } = await shop();
    const { pricer: other } = await shop();
    for (const facts of [other.facts(), {}, null, "facts"]) {
      const errors = [
        thrown(() => pricer.basket(orderOf(product()), { facts })),
        await errorOf(pricer.calculate(orderOf(product()), { facts })),
      ];
      errors.push(
        await errorOf(pricer.calculateJson(JSON.stringify(orderOf(product())), { facts })),
        await errorOf(pricer.explain(orderOf(product()), { facts })),
      );
      for (const { code, path, message } of errors) {
        assert.deepEqual(
          [code, path, message],
          ["VALIDATION_ERROR", "facts", "Invalid options: facts: expected a fact store of this pricer"],
        );
      }
    }
  });

  test("server rendering: the page's first snapshot is current, and nothing is asked", async () => {
    const { pricer } = await shop({ deliveryZones: squareZones(40) });
    const facts = pricer.facts();
    const order = { ...orderOf(product(), product(1002, 2)), shipping: REGULAR };
    const { grandTotal } = await pricer.calculate(order, { facts });
    const page = await createPricer({ lookupPrices: () => assert.fail("it was asked") }, { deliveryZones: squareZones(40) });
    const basket = page.basket(order, { facts: page.facts(sent(facts)), autoSettle: true });
    assert.deepEqual([basket.initialSnapshot.status, basket.initialSnapshot.totals.grandTotal], ["current", grandTotal]);
    time.tick(60_000);
    assert.equal(basket.snapshot.status, "current");
  });
});

suite("the time of an answer", () => {
  const at = (facts) => facts.toJSON().at;

  for (const [how, forget] of [
    ["cleared", (facts) => facts.clear()],
    ["evicted", (facts) => facts.add({ prices: { "1003/1000": { price: 1 } } })],
  ]) {
    test(`a price that an order took from a store comes back with its time if it was ${how} meanwhile`, async () => {
      const host = slowHost();
      const pricer = await createPricer(host);
      const facts = pricer.facts(undefined, { maxEntries: 1, maxAgeMs: HOUR });
      time.tick(1_000);
      facts.add({ prices: { "1001/1000": { price: 5 } } });
      time.tick(1_000);
      const priced = pricer.calculate({ ...orderOf(product()), voucherId: ["V1"] }, { facts });
      forget(facts);
      assert.equal(facts.toJSON().prices["1001/1000"], undefined);
      time.tick(1_000);
      host.asked.lookupVouchers[0].answer();
      await priced;
      // Of two prices the older one goes.
      assert.deepEqual(at(facts).prices, how === "cleared" ? { "1001/1000": 1_000 } : { "1003/1000": 2_000 });
    });
  }

  test("one that has become too old on the way is asked again", async () => {
    const host = slowHost();
    const pricer = await createPricer(host, { deadlineMs: 0 });
    const facts = pricer.facts({ prices: { "1001/1000": { price: 5 } } }, { maxAgeMs: HOUR });
    const priced = pricer.calculate({ ...orderOf(product()), voucherId: ["V1"] }, { facts });
    facts.clear();
    time.tick(HOUR);
    host.asked.lookupVouchers[0].answer();
    await priced;
    const basket = pricer.basket(orderOf(product()), { facts });
    assert.deepEqual([basket.snapshot.status, basket.rows[0].price], ["pending", 5]);
  });

  test("what an order has asked has the time of its answer, however long the order takes", async () => {
    const host = slowHost();
    const pricer = await createPricer(host);
    const facts = pricer.facts();
    const priced = pricer.calculate({ ...orderOf(product()), shipping: DRY, couponCodeList: ["A"] }, { facts });
    for (const name of ["lookupPrices", "nationwideRate", "validateCoupons"]) {
      time.tick(1_000);
      host.asked[name][0].answer();
      await turn();
    }
    await priced;
    assert.deepEqual(at(facts), { prices: { "1001/1000": 1_000 }, rates: { "10110/DRY": 2_000 } });
  });
});

suite("aged", () => {
  test("vouchers too: one that was used meanwhile takes nothing off in a new basket", async () => {
    const known = { ...FACTS, vouchers: { V1: { ownerId: "malee", value: 20, isActive: true, isUsed: false } } };
    const { host, pricer } = await shop({}, known);
    const facts = pricer.facts(undefined, { maxAgeMs: HOUR });
    const order = { ...orderOf(product()), ownerId: "malee", voucherId: ["V1"] };
    assert.equal((await pricer.basket(order, { facts }).settle()).voucherDiscount, 20);
    known.vouchers.V1 = { ...known.vouchers.V1, isUsed: true };
    callsOf(host);
    time.tick(HOUR - 1);
    assert.equal((await pricer.basket(order, { facts }).settle()).voucherDiscount, 20);
    time.tick(1);
    const basket = pricer.basket(order, { facts });
    assert.deepEqual([basket.status, basket.pending], ["pending", ["prices", "vouchers"]]);
    assert.equal((await basket.settle()).voucherDiscount, 0);
    assert.deepEqual(
      callsOf(host).map(([name]) => name),
      ["lookupPrices", "lookupVouchers"],
    );
  });

  test("a basket with subscribers becomes pending when a fact expires, and its value counts until then", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts(undefined, { maxAgeMs: HOUR });
    const basket = pricer.basket(orderOf(product()), { facts });
    await basket.settle();
    const statuses = [];
    basket.subscribe(({ status, totals }) => statuses.push([status, totals.grandTotal]));
    time.tick(HOUR - 1);
    assert.deepEqual(statuses, [["current", 100]]);
    time.tick(1);
    assert.deepEqual(statuses.at(-1), ["pending", 100]);
    host.calls.length = 0;
    await basket.settle();
    assert.deepEqual(callsOf(host), [["lookupPrices", [KEY]]]);
    assert.equal(basket.status, "current");
    basket.free();
    assert.deepEqual(time.waiting(), []);
  });

  test("others notice at the next edit, or at settle()", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts(undefined, { maxAgeMs: HOUR });
    const baskets = [1, 2].map(() => pricer.basket(orderOf(product()), { facts }));
    for (const basket of baskets) await basket.settle();
    time.tick(HOUR);
    assert.deepEqual(
      baskets.map(({ status }) => status),
      ["current", "current"],
    );
    baskets[0].setQuantity(0, 2);
    assert.deepEqual([baskets[0].status, baskets[0].totals.grandTotal], ["pending", 200]);
    host.calls.length = 0;
    assert.equal((await baskets[1].settle()).grandTotal, 100);
    assert.equal(callsOf(host).length, 1);
    assert.deepEqual(
      baskets.map(({ status }) => status),
      ["current", "current"],
    );
    assert.deepEqual(time.waiting(), []);
  });

  test("who listens is told, also if another basket of the store has noticed first", async () => {
    const { pricer } = await shop();
    const facts = pricer.facts(undefined, { maxAgeMs: HOUR });
    const [silent, heard] = [1, 2].map(() => pricer.basket(orderOf(product()), { facts }));
    await silent.settle();
    const statuses = [];
    heard.subscribe(({ status }) => statuses.push(status));
    const { now } = Date;
    Date.now = () => now() + HOUR; // a laptop that slept: its timers are late
    silent.setQuantity(0, 2);
    assert.deepEqual(statuses, ["current"]);
    time.tick(1);
    assert.deepEqual([silent.status, statuses], ["pending", ["current", "pending"]]);
    heard.free();
  });

  test("refresh() of one basket: another that shares a price hears of it, and what only that one names stays", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts();
    const [first, second] = [
      [product(), product(1002)],
      [product(1002), product(1003)],
    ].map((products) => pricer.basket(orderOf(...products), { facts }));
    await Promise.all([first.settle(), second.settle()]);
    host.calls.length = 0;
    first.refresh();
    assert.deepEqual([first.status, second.status, second.totals.grandTotal], ["pending", "pending", 37.25]);
    await second.settle();
    assert.deepEqual(
      callsOf(host).flatMap(([, keys]) => keys.map(({ cprcode }) => cprcode)),
      [1002],
    );
    await first.settle();
    assert.deepEqual(
      callsOf(host).flatMap(([, keys]) => keys.map(({ cprcode }) => cprcode)),
      [1001],
    );
  });

  test("not found ages, too: it stops being a problem, and is asked again", async () => {
    const facts = { prices: {} };
    const { host, pricer } = await shop({}, facts);
    const store = pricer.facts(undefined, { maxAgeMs: HOUR });
    const basket = pricer.basket(orderOf(product()), { facts: store });
    assert.equal((await errorOf(basket.settle())).code, "PRODUCT_PRICE_NOT_FOUND");
    facts.prices[1001] = { price: 5 };
    time.tick(HOUR);
    assert.equal((await basket.settle()).grandTotal, 5);
    assert.equal(host.calls.length, 2);
  });

  test("the ages survive: initialSnapshot ignores them, the first snapshot applies them", async () => {
    const { pricer } = await shop();
    const facts = pricer.facts();
    await pricer.calculate(orderOf(product()), { facts });
    const json = sent(facts);
    time.tick(HOUR);
    const basket = pricer.basket(orderOf(product()), { facts: pricer.facts(json, { maxAgeMs: HOUR }) });
    assert.deepEqual([basket.initialSnapshot.status, basket.snapshot.status, basket.totals.grandTotal], ["current", "pending", 100]);
    const younger = pricer.basket(orderOf(product()), { facts: pricer.facts(json, { maxAgeMs: HOUR + 1 }) });
    assert.equal(younger.snapshot.status, "current");
  });

  test("a time in the future is now, and a clock that is set back lets ages begin anew", async () => {
    const { pricer } = await shop();
    time.tick(10 * HOUR);
    const facts = pricer.facts({ prices: { "1001/1000": { price: 1 } }, at: { prices: { "1001/1000": 20 * HOUR } } }, { maxAgeMs: HOUR });
    assert.equal(facts.toJSON().at.prices["1001/1000"], 10 * HOUR);
    const basket = pricer.basket(orderOf(product()), { facts });
    const { now } = Date;
    Date.now = () => now() - 9 * HOUR;
    basket.setQuantity(0, 2);
    assert.deepEqual([basket.status, facts.toJSON().at.prices["1001/1000"]], ["current", HOUR]);
    Date.now = () => now() - 8 * HOUR;
    basket.setQuantity(0, 3);
    assert.equal(basket.status, "pending");
  });

  test("a calculation asks again for what is too old, and fails if that cannot be had", async () => {
    let isClosed = false;
    const known = hostFromFacts(FACTS);
    const lookupPrices = (keys) => (isClosed ? Promise.reject(new Error("closed")) : known.lookupPrices(keys));
    const pricer = await createPricer({ lookupPrices });
    const facts = pricer.facts(undefined, { maxAgeMs: HOUR });
    await pricer.calculate(orderOf(product()), { facts });
    isClosed = true;
    time.tick(HOUR - 1);
    assert.equal((await pricer.calculate(orderOf(product()), { facts })).grandTotal, 100);
    time.tick(1);
    assert.equal((await errorOf(pricer.calculate(orderOf(product()), { facts }))).message, "closed");
    isClosed = false;
    await pricer.calculate(orderOf(product()), { facts });
    isClosed = true;
    assert.equal((await pricer.calculate(orderOf(product()), { facts })).grandTotal, 100, "it is young again");
  });

  test("a basket that settles by itself asks again after the debounce", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts({ prices: { "1001/1000": { price: 1 } } }, { maxAgeMs: HOUR });
    const basket = pricer.basket(orderOf(product()), { facts, autoSettle: true });
    basket.subscribe(() => {});
    time.tick(HOUR + 149);
    assert.deepEqual([basket.status, host.calls.length], ["pending", 0]);
    time.tick(1);
    await turn();
    assert.deepEqual([basket.status, basket.totals.grandTotal, host.calls.length], ["current", 100, 1]);
    basket.free();
  });

  /** Baskets of a store that settle by themselves and know a price, of which `watched` have a subscriber. */
  async function open(count, watched = count) {
    const { host, pricer } = await shop();
    const facts = pricer.facts({ prices: { "1001/1000": { price: 100 } } }, { maxAgeMs: HOUR });
    const baskets = Array.from({ length: count }, () => pricer.basket(orderOf(product()), { facts, autoSettle: true }));
    const stops = baskets.slice(0, watched).map((basket) => basket.subscribe(() => {}));
    return { host, baskets, stops, statuses: () => baskets.map(({ status }) => status) };
  }

  const pass = async (ms) => {
    time.tick(ms);
    await turn();
  };

  test("nobody touches the page: the baskets of a store ask once an hour, with one timer", async () => {
    const { host, baskets, stops, statuses } = await open(3);
    assert.equal(time.waiting().length, 1);
    for (let hours = 0; hours < 5; hours += 1) await pass(HOUR + 150);
    assert.equal(callsOf(host).length, 5);
    assert.deepEqual([statuses(), time.waiting().length], [Array(3).fill("current"), 1]);
    for (const stop of stops) stop();
    assert.deepEqual(time.waiting(), []);
    for (const basket of baskets) basket.free();
  });

  test("without a subscriber nothing is asked, until there is one", async () => {
    const { host, baskets, statuses } = await open(2, 0);
    await pass(2 * HOUR);
    assert.deepEqual([statuses(), callsOf(host).length, time.waiting()], [["current", "current"], 0, []]);
    const seen = [];
    baskets[0].subscribe(({ status }) => seen.push(status));
    await pass(151);
    assert.deepEqual([seen.includes("pending"), statuses(), callsOf(host).length], [true, ["current", "current"], 1]);
    for (const basket of baskets) basket.free();
  });

  test("what aged while another basket had the subscriber is asked once there is one", async () => {
    const { host, pricer } = await shop();
    const facts = pricer.facts({ prices: { "1001/1000": { price: 100 }, "1002/1000": { price: 1 } } }, { maxAgeMs: HOUR });
    const [seen, unseen] = [1001, 1002].map((code) => pricer.basket(orderOf(product(code)), { facts, autoSettle: true }));
    seen.subscribe(() => {});
    await pass(HOUR + 150);
    assert.deepEqual([seen.status, unseen.status, callsOf(host).length], ["current", "current", 1]);
    unseen.subscribe(() => {});
    await pass(151);
    assert.deepEqual([unseen.status, callsOf(host).length], ["current", 1]);
    for (const basket of [seen, unseen]) basket.free();
  });

  suite("in a page", () => {
    let page;
    let listeners;
    beforeEach(() => {
      listeners = new Set();
      page = Object.assign(new EventTarget(), { visibilityState: "visible" });
      globalThis.document = {
        get visibilityState() {
          return page.visibilityState;
        },
        addEventListener: (type, listener) => (listeners.add(listener), page.addEventListener(type, listener)),
        removeEventListener: (type, listener) => (listeners.delete(listener), page.removeEventListener(type, listener)),
      };
    });
    afterEach(() => delete globalThis.document);

    function show(visibilityState) {
      page.visibilityState = visibilityState;
      page.dispatchEvent(new Event("visibilitychange"));
    }

    test("in the background nothing is asked; what is too old is asked when the page is visible again", async () => {
      const { host, baskets, statuses } = await open(3);
      show("hidden");
      await pass(5 * HOUR);
      assert.deepEqual([callsOf(host).length, time.waiting()], [0, []]);
      show("visible");
      await pass(151);
      assert.deepEqual([callsOf(host).length, statuses()], [1, Array(3).fill("current")]);
      show("hidden");
      show("visible");
      await pass(HOUR - 1);
      assert.deepEqual(callsOf(host), []);
      for (const basket of baskets) basket.free();
    });

    test("a page that is opened in the background asks once it is seen", async () => {
      page.visibilityState = "hidden";
      const { host, baskets } = await open(1);
      await pass(2 * HOUR);
      assert.deepEqual(callsOf(host), []);
      show("visible");
      await pass(151);
      assert.equal(callsOf(host).length, 1);
      baskets[0].free();
    });

    test("a store listens to the page while somebody listens to its baskets", async () => {
      const { baskets, stops } = await open(3, 2);
      const counts = [listeners.size];
      stops[0]();
      counts.push(listeners.size);
      stops[1]();
      counts.push(listeners.size);
      baskets[2].subscribe(() => {});
      counts.push(listeners.size);
      for (const basket of baskets) basket.free();
      counts.push(listeners.size);
      stops[0]();
      assert.deepEqual([...counts, listeners.size], [1, 1, 0, 1, 0, 0]);
    });

    test("a store whose facts do not age does not listen to it", async () => {
      const { pricer } = await shop();
      pricer.basket(orderOf(product()), { facts: pricer.facts() }).subscribe(() => {});
      assert.equal(listeners.size, 0);
    });
  });

  for (const [options, message] of [
    [{ maxAge: 5 }, "Invalid options: maxAge: unknown, did you mean maxAgeMs"],
    [{ maxAgeMs: "5" }, "Invalid options: maxAgeMs: expected a number of 0 or more"],
    [{ maxAgeMs: -1 }, "Invalid options: maxAgeMs: expected a number of 0 or more"],
    [{ maxAgeMs: NaN }, "Invalid options: maxAgeMs: expected a number of 0 or more"],
    [{ maxEntries: 0 }, "Invalid options: maxEntries: expected a whole number above 0"],
    [{ maxEntries: 1.5 }, "Invalid options: maxEntries: expected a whole number above 0"],
    [{ onCall: 1 }, "Invalid options: onCall: expected a function"],
  ]) {
    test(message, async () => {
      const { pricer } = await shop();
      assert.equal(thrown(() => pricer.facts(undefined, options)).message, message);
    });
  }
});

test("maxAgeMs: 0: a fact counts only until the clock goes on", async () => {
  const { pricer } = await shop();
  const basket = pricer.basket(orderOf(product()), { facts: pricer.facts({ prices: { "1001/1000": { price: 5 } } }, { maxAgeMs: 0 }) });
  time.tick(1);
  basket.setQuantity(0, 2);
  assert.equal(basket.status, "pending");
});

test("what a call threw is forgotten once it is nobody's problem any more", async () => {
  const host = hostFromFacts(FACTS);
  let causes = 0;
  const held = [];
  const failing = {
    ...host,
    lookupPrices: (keys, ctx) => {
      if (held.length > 0) return host.lookupPrices(keys, ctx);
      const cause = new Error(`closed ${(causes += 1)}`);
      held.push(new WeakRef(cause));
      throw cause;
    },
  };
  const pricer = await createPricer(failing);
  const facts = pricer.facts();
  const basket = pricer.basket(orderOf(product()), { facts });
  await errorOf(basket.settle());
  await basket.settle();
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  for (let turns = 0; turns < 20 && held[0].deref(); turns += 1) {
    await turn();
    collect();
  }
  assert.deepEqual([basket.status, held[0].deref()], ["current", undefined]);
  assert.equal(facts.toJSON().prices["1001/1000"] !== undefined, true);
});

/** Replaces the module's instance, as after a trap. */
function breakModule(basket) {
  const { setQuantity } = wasm.BasketHandle.prototype;
  wasm.BasketHandle.prototype.setQuantity = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  assert.equal(thrown(() => basket.setQuantity(0, 3)).code, "INTERNAL");
  wasm.BasketHandle.prototype.setQuantity = setQuantity;
}

test("the first thing after the module broke: a product that is added, a fact that is given", async () => {
  const { pricer } = await shop();
  const facts = pricer.facts({ prices: { "1001/1000": { price: 5 } } });
  const basket = pricer.basket(orderOf(product()), { facts });
  breakModule(basket);
  basket.addProduct(product(1002));
  assert.deepEqual(
    basket.rows.map(({ productName }) => productName),
    ["p1001", "p1002"],
  );
  breakModule(basket);
  facts.add({ prices: { "1002/1000": { price: 7 } } });
  assert.deepEqual(
    basket.rows.map(({ price }) => price),
    [5, 7],
  );
});

test("if the module breaks, what was given or handed out counts until the host has answered anew", async () => {
  const { pricer, host } = await shop();
  const facts = pricer.facts({ prices: { "1001/1000": { price: 5 } } });
  const basket = pricer.basket(orderOf(product(), product(1002), product(1003)), { facts });
  await basket.settle();
  sent(facts);
  await pricer.calculate(orderOf(product(1004)), { facts }).catch(() => {});
  basket.setQuantity(0, 2);
  breakModule(basket);
  basket.setQuantity(0, 3);
  assert.deepEqual([basket.status, basket.totals.grandTotal], ["pending", 52.25]);
  assert.deepEqual(Object.keys(facts.toJSON().prices).sort(), ["1001/1000", "1002/1000", "1003/1000"]);
  host.calls.length = 0;
  assert.equal((await basket.settle()).grandTotal, 337.25);
  assert.equal(callsOf(host).length, 1);
});

suite("told: onCall", () => {
  test("each question: who asked it, and how it ended", async () => {
    const known = hostFromFacts(FACTS);
    const cause = new Error("closed");
    const host = { ...known, nationwideRate: () => Promise.reject(cause), lookupVouchers: undefined };
    const pricer = await createPricer(host, { deliveryZones: () => new Promise(() => {}), deadlineMs: 1000 });
    const calls = [];
    const facts = pricer.facts(undefined, { onCall: (call) => calls.push(call) });
    const shipping = { ...REGULAR, scheduleList: [{ mode: "REGULAR" }, { nationwideMode: "DRY" }] };
    const basket = pricer.basket({ ...FULL, shipping }, { facts, context: "who" });
    void errorOf(basket.settle());
    await turn();
    time.tick(1000);
    await turn();
    const outcomes = Object.fromEntries(
      ["lookupPrices", "nationwideRate", "lookupVouchers", "deliveryZones"].map((name) => [
        name,
        calls.filter(({ lookup }) => lookup === name).map(({ outcome }) => outcome),
      ]),
    );
    assert.deepEqual(outcomes, {
      lookupPrices: ["asked", "answered"],
      nationwideRate: ["asked", "failed"],
      lookupVouchers: ["asked", "missing"],
      deliveryZones: ["asked", "late"],
    });
    assert.deepEqual(calls[0].argument, [KEY]);
    assert.ok(calls.every(({ context, requestId }) => context === "who" && /^[0-9a-f-]{36}$/.test(requestId)));
    assert.equal(calls.find(({ outcome }) => outcome === "failed").cause, cause);
    assert.equal(calls.find(({ outcome }) => outcome === "late").ms, 1000);
    assert.deepEqual(
      calls.filter((call) => "cause" in call).map(({ outcome }) => outcome),
      ["failed"],
    );
    assert.ok(calls.every(({ ms }) => ms === 0 || ms === 1000));
    assert.equal(new Set(calls.map(({ id }) => id)).size, 4);
  });

  test("a call that is not needed is dropped; an inspector that throws is reported and stops no other", async () => {
    const reported = [];
    globalThis.reportError = (error) => reported.push(error.message);
    try {
      const pricer = await createPricer(slowHost());
      const outcomes = [];
      const onCall = ({ outcome }) => {
        outcomes.push(outcome);
        throw new Error("mine");
      };
      const basket = pricer.basket(orderOf(product()), { facts: pricer.facts(undefined, { onCall }) });
      void errorOf(basket.settle());
      basket.free();
      assert.deepEqual(
        [outcomes, reported],
        [
          ["asked", "dropped"],
          ["mine", "mine"],
        ],
      );
    } finally {
      delete globalThis.reportError;
    }
  });
});
