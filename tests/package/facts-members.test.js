// Many open baskets of one store: what a new fact costs is counted in calls into the module, and none is for those that do
// not name it.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createPricer } from "order-cost";
import { orderOf, product, slowHost, turn } from "./basket-shop.js";
import { errorOf } from "./errors.js";
import { fakeTime } from "./fake-time.js";

const wasm = await import(new URL("wasm/order_cost.js", import.meta.resolve("order-cost")));

/** The calls into the module while `run` runs, and the looks at an object that may be collected, such as a basket. */
async function callsDuring(run) {
  const calls = [];
  const ends = [];
  for (const { name: type, prototype } of [wasm.BasketHandle, wasm.FactsHandle, wasm.Job, WeakRef]) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(prototype, name);
      if (name === "constructor" || typeof value !== "function") continue;
      ends.push(() => (prototype[name] = value));
      prototype[name] = function (...given) {
        calls.push(`${type}.${name}`);
        return value.apply(this, given);
      };
    }
  }
  try {
    await run();
  } finally {
    for (const end of ends) end();
  }
  return calls;
}

/** A store with this many open baskets, each of its own product, and one of product 1. */
async function shop(count, options) {
  const host = slowHost();
  const pricer = await createPricer(host);
  const facts = pricer.facts(undefined, options);
  const others = Array.from({ length: count }, (_, index) => pricer.basket(orderOf(product(10_000 + index)), { facts }));
  const basket = pricer.basket(orderOf(product(1)), { facts });
  return { host, pricer, facts, others, basket };
}

const price = (cprcode, amount) => ({ prices: { [`${cprcode}/1000`]: { price: amount } } });

const ANSWERS = {
  "a fact that is given": ({ facts }) => facts.add(price(1, 5)),
  "a fact that nobody names": ({ facts }) => facts.add(price(2, 5)),
  "an order that asks": async ({ host, pricer, facts }) => {
    const priced = pricer.calculate(orderOf(product(1)), { facts });
    host.asked.lookupPrices.shift().resolve([{ price: 5 }]);
    await priced;
  },
  "a basket that asks": async ({ host, basket }) => {
    const settled = basket.settle();
    host.asked.lookupPrices.shift().resolve([{ price: 5 }]);
    await settled;
  },
  "a call that fails": async ({ host, basket }) => {
    const settled = errorOf(basket.settle());
    host.asked.lookupPrices.shift().reject(new Error("closed"));
    await settled;
  },
  "a refresh": ({ basket }) => basket.refresh(0),
  "a subscriber, and its end": ({ basket }) => basket.subscribe(() => {})(),
  "an edit": ({ basket }) => basket.setQuantity(0, 2),
  "a basket that leaves": ({ basket }) => basket.free(),
};

suite("the calls into the module do not depend on the baskets that do not name a fact", () => {
  for (const [what, run] of Object.entries(ANSWERS)) {
    for (const options of [undefined, { maxAgeMs: 60_000 }]) {
      test(`${what}${options ? ", in a store whose facts age" : ""}`, async () => {
        const counted = [];
        for (const count of [10, 200]) {
          const opened = await shop(count, options);
          counted.push(await callsDuring(() => run(opened)));
          for (const basket of [...opened.others, opened.basket]) basket.free();
        }
        assert.deepEqual(counted[1], counted[0]);
      });
    }
  }
});

test("facts that age concern only those who name them, each at its time", async () => {
  const counted = [];
  for (const count of [10, 200]) {
    const time = fakeTime();
    try {
      const { facts, others, basket } = await shop(count, { maxAgeMs: 1_000 });
      for (const other of others) other.subscribe(() => {});
      const statuses = [];
      basket.addProduct(product(2));
      basket.subscribe(({ status, rows }) => statuses.push([time.now, status, ...rows.map((row) => row.price)]));
      facts.add(price(1, 5));
      time.tick(10);
      facts.add(price(2, 7));
      counted.push(await callsDuring(() => time.tick(995)));
      facts.add(price(1, 6));
      time.tick(10);
      assert.deepEqual(statuses, [
        [0, "pending", null, null],
        [0, "pending", 5, null],
        [10, "current", 5, 7],
        [1_000, "pending", 5, 7],
        [1_005, "current", 6, 7],
        [1_010, "pending", 6, 7],
      ]);
      for (const one of [...others, basket]) one.free();
      assert.deepEqual(time.waiting(), []);
    } finally {
      time.restore();
    }
  }
  assert.deepEqual(counted[1], counted[0]);
});

test("in a full store a new fact is as few calls as in an empty one", async () => {
  const counted = [];
  for (const count of [1, 1_000]) {
    const { facts } = await shop(0, { maxEntries: count });
    const prices = Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index + 10}/1000`, { price: 1 }]));
    facts.add({ prices });
    counted.push(await callsDuring(() => facts.add(price(1, 5))));
    assert.equal(Object.keys(facts.toJSON().prices).length, count);
  }
  assert.deepEqual(counted[1], counted[0]);
});

suite("who names a fact follows it", () => {
  test("also since an edit, and no more since another", async () => {
    const {
      facts,
      others: [basket],
      basket: first,
    } = await shop(1);
    first.free();
    const seen = () => [basket.status, basket.totals.grandTotal];
    basket.addProduct(product(1));
    facts.add(price(1, 5));
    facts.add(price(10_000, 7));
    assert.deepEqual(seen(), ["current", 12]);
    basket.removeProduct(0);
    facts.add(price(1, 6));
    assert.deepEqual(seen(), ["current", 6]);
    basket.updateProduct(0, { cprcode: 3 });
    const calls = await callsDuring(() => facts.add(price(1, 7)));
    assert.ok(calls.includes("FactsHandle.takeOffers") && !calls.some((call) => call.startsWith("BasketHandle")), `${calls}`);
    basket.replace({ ...orderOf(product(3)), branchId: "1001" });
    facts.add({ prices: { "3/1001": { price: 8 } } });
    assert.deepEqual(seen(), ["current", 8]);
    basket.free();
  });

  test("a basket shows that another has begun to ask for what it names, too", async () => {
    const { pricer, facts, basket, host } = await shop(1);
    const second = pricer.basket(basket.order, { facts });
    const settled = basket.settle();
    assert.deepEqual([second.isSettling, second.status], [true, "pending"]);
    host.asked.lookupPrices.shift().resolve([{ price: 5 }]);
    await settled;
    await turn();
    assert.deepEqual([second.isSettling, second.status], [false, "current"]);
  });
});
