// Random baskets over one store, while a slow host answers: what each shows follows from what the host has answered to any
// of them, no known or pending key is asked for, and all keys together are asked for no more often than by a single basket.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import fc, { SEED, cases } from "../property.js";
import { keysOf } from "../model/basket.js";
import { assertCurrent, turn } from "./basket-shop.js";

const CODES = [1, 2, 3, 4, 5];
/** Nobody sells it. */
const MISSING = 5;
const BRANCHES = ["1000", "2000"];
const POSTCODES = ["10110", "50000"];
const VOUCHERS = ["V1", "V2"];
const FACTS = {
  prices: Object.fromEntries(BRANCHES.flatMap((branch, place) => CODES.filter((code) => code !== MISSING).map((code) => [`${code}/${branch}`, { price: code * 10 + place }]))),
  rates: Object.fromEntries(POSTCODES.map((postcode, place) => [`${postcode}/DRY`, { deliveryFee: 40 + place }])),
  vouchers: Object.fromEntries(VOUCHERS.map((id, place) => [id, { ownerId: "malee", value: 1 + place, isActive: true, isUsed: false }])),
};
const MOST_BASKETS = 3;

const product = (cprcode) => ({ cprcode, productName: `p${cprcode}`, quantity: 1 });
const shipping = (shippingPostcode) => ({ shippingType: "DELIVERY", shippingPostcode, scheduleList: [{ nationwideMode: "DRY" }] });

const which = fc.nat(MOST_BASKETS - 1);
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("open"), codes: fc.array(fc.constantFrom(...CODES), { maxLength: 3 }) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("add"), which, code: fc.constantFrom(...CODES) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("remove"), which, line: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("branch"), which, branch: fc.constantFrom(...BRANCHES) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("ship"), which, postcode: fc.constantFrom(...POSTCODES, null) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("vouch"), which, ids: fc.subarray(VOUCHERS) }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("settle"), which }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("answer"), call: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("quote"), which, code: fc.constantFrom(...CODES) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("free"), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("given"), code: fc.constantFrom(1, 2, 3, 4) }) },
);

/** The naive store: the keys that were answered, and the calls that are out. */
class Shop {
  baskets = [];
  known = new Set();
  out = [];
  asked = [];
  #isQuoting = false;
  /** What the baskets named after the last action. */
  #named = new Set();
  #host = hostFromFacts(FACTS);

  static async open() {
    const shop = new Shop();
    const names = ["lookupPrices", "nationwideRate", "lookupVouchers"];
    const host = Object.fromEntries(names.map((name) => [name, (argument, context) => shop.#called(name, argument, context)]));
    shop.pricer = await createPricer(host);
    shop.reference = await createPricer(hostFromFacts(FACTS));
    shop.facts = shop.pricer.facts();
    return shop;
  }

  /** Runs the action, and then compares each basket with what is known. */
  async act({ kind, which: place = 0, ...action }) {
    const basket = this.baskets[place];
    if (kind === "open" && this.baskets.length < MOST_BASKETS) this.baskets.push(this.pricer.basket({ productList: action.codes.map(product), ownerId: "malee" }, { facts: this.facts }));
    if (kind === "answer" && this.out.length > 0) this.#answer(this.out[action.call % this.out.length]);
    if (kind === "given") this.#given(`${action.code}/1000`);
    if (basket && ACTIONS[kind]) ACTIONS[kind].call(this, basket, action);
    await turn();
    this.#forgetUseless();
    for (const one of this.baskets) this.#check(one);
  }

  #given(key) {
    this.facts.add({ prices: { [key]: FACTS.prices[key] } });
    this.#learn(key);
  }

  /** Knows it from elsewhere: the call that asks for it no longer concerns it. */
  #learn(key) {
    this.known.add(key);
    for (const call of this.out) call.keys = call.keys.filter((asked) => asked !== key);
  }

  #called(name, argument, { signal }) {
    const keys = keysOf(name, argument);
    if (this.#isQuoting) {
      for (const key of keys) {
        assert.ok(!this.known.has(key), `${key} is known, and a quote asks for it`);
        this.#learn(key); // the quote's answer comes in this turn
      }
      return this.#host[name](argument);
    }
    for (const key of keys) {
      assert.ok(!this.known.has(key), `${key} is known, and asked`);
      assert.ok(!this.out.some((call) => call.keys.includes(key)), `${key} is out, and asked`);
      assert.ok(this.baskets.some((basket) => keysIn(basket).includes(key)), `${key} is asked for nobody`);
    }
    this.asked.push(...keys);
    return new Promise((resolve) => this.out.push({ name, argument, keys, signal, resolve }));
  }

  quote(basket, patch) {
    this.#isQuoting = true;
    // It asks before it returns, and its host answers at once.
    basket.quote(patch).catch(() => {});
    this.#isQuoting = false;
  }

  #answer(call) {
    this.out.splice(this.out.indexOf(call), 1);
    if (call.signal.aborted) return;
    for (const key of call.keys) this.known.add(key);
    call.resolve(this.#host[call.name](call.argument));
  }

  /** A call ends when its keys are no longer needed; "not found" is forgotten with the last basket that names the key. */
  #forgetUseless() {
    const needed = new Set(this.baskets.flatMap(keysIn));
    for (const call of [...this.out]) {
      assert.equal(call.signal.aborted, !call.keys.some((key) => needed.has(key)), `the call for ${call.keys}`);
      if (call.signal.aborted) this.out.splice(this.out.indexOf(call), 1);
    }
    const named = new Set(this.baskets.flatMap(namedIn));
    for (const key of this.#named) if (isMissing(key) && !named.has(key)) this.known.delete(key);
    this.#named = named;
  }

  #check(basket) {
    const { rows, order, status, problems, isSettling } = basket;
    for (const { cprcode, price, problem } of rows) {
      const key = `${cprcode}/${order.branchId ?? "1000"}`;
      const isKnown = this.known.has(key);
      assert.equal(price, isKnown && !isMissing(key) ? FACTS.prices[key].price : null, key);
      assert.equal(problem?.code, isKnown && isMissing(key) ? "PRODUCT_PRICE_NOT_FOUND" : undefined, key);
    }
    const keys = keysIn(basket);
    const isWrong = keys.some((key) => this.known.has(key) && isMissing(key));
    const isOpen = keys.some((key) => !this.known.has(key));
    assert.equal(status, isWrong ? "failed" : isOpen ? "pending" : "current");
    assert.equal(problems.length > 0, isWrong);
    assert.equal(isSettling, this.out.some((call) => call.keys.some((key) => keys.includes(key))), "isSettling");
  }

  async end() {
    const ends = this.baskets.map((basket) => basket.settle().catch((error) => error));
    while (this.out.length > 0) {
      this.#answer(this.out[0]);
      await turn();
    }
    await Promise.all(ends);
    for (const basket of this.baskets) {
      this.#check(basket);
      if (basket.status === "current" && basket.rows.length > 0) await assertCurrent(basket, this.reference);
    }
  }
}

const ACTIONS = {
  add: (basket, { code }) => basket.addProduct(product(code)),
  remove: (basket, { line }) => line < basket.rows.length && basket.removeProduct(line),
  branch: (basket, { branch }) => basket.setBranch(branch),
  ship: (basket, { postcode }) => basket.setShipping(postcode && shipping(postcode)),
  vouch: (basket, { ids }) => basket.setVouchers(ids),
  settle: (basket) => void basket.settle().catch(() => {}),
  quote(basket, { code }) {
    this.quote(basket, { productList: [product(code)] });
  },
  free(basket) {
    basket.free();
    this.baskets.splice(this.baskets.indexOf(basket), 1);
  },
};

const isMissing = (key) => key.startsWith(`${MISSING}/`);

/** The keys that a basket names. */
function namedIn({ order }) {
  const prices = order.productList.map(({ cprcode }) => `${cprcode}/${order.branchId ?? "1000"}`);
  const rates = order.shipping ? [`DRY/${order.shipping.shippingPostcode}`] : [];
  return [...prices, ...rates, ...(order.voucherId ?? [])];
}

/** The keys that it needs: an empty one needs nothing. */
const keysIn = (basket) => (basket.rows.length > 0 ? namedIn(basket) : []);

const RUNS = cases(300);

test(`${RUNS} times random baskets over one store, from seed ${SEED}`, async () => {
  const property = fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
    const shop = await Shop.open();
    for (const one of actions) await shop.act(one);
    await shop.end();
  });
  await fc.assert(property, { numRuns: RUNS });
});

test("as many questions as a single basket that needs all of it", async () => {
  const orders = fc.array(fc.record({ codes: fc.array(fc.constantFrom(...CODES), { minLength: 1, maxLength: 4 }), postcode: fc.constantFrom(...POSTCODES), ids: fc.subarray(VOUCHERS) }), { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(orders, async (drawn) => {
    const asked = [];
    const known = hostFromFacts(FACTS);
    const names = ["lookupPrices", "nationwideRate", "lookupVouchers"];
    const host = Object.fromEntries(names.map((name) => [name, async (argument) => (asked.push(...keysOf(name, argument)), known[name](argument))]));
    const pricer = await createPricer(host);
    const facts = pricer.facts();
    const baskets = drawn.map(({ codes, postcode, ids }) => pricer.basket({ productList: codes.map(product), shipping: shipping(postcode), voucherId: ids }, { facts }));
    await Promise.allSettled(baskets.map((basket) => basket.settle()));
    const needed = [...new Set(baskets.flatMap(keysIn))].sort();
    assert.deepEqual(asked.splice(0).sort(), needed);
    for (const basket of baskets) await basket.quote({ ownerId: "malee" }).catch(() => {});
    assert.deepEqual(asked, [], "and a quote asks for nothing that is known");
  });
  await fc.assert(property, { numRuns: cases(100) });
});
