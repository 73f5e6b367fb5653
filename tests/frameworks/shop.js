// Baskets for the tests of every framework.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";

/** What one unit costs in every basket. */
export const PRICE = 10;

/** A pricer that knows one price, and an order of so many products, one unit each. */
export async function shop(rows = 2) {
  const codes = Array.from({ length: rows }, (_, index) => 1001 + index);
  const host = hostFromFacts({ prices: Object.fromEntries(codes.map((cprcode) => [cprcode, { price: PRICE }])) });
  const productList = codes.map((cprcode) => ({ cprcode, productName: `product ${cprcode}`, quantity: 1 }));
  return { pricer: await createPricer(host), order: { productList } };
}

/** A basket of so many rows. Nobody has looked its prices up. */
export async function newBasket(rows, options) {
  const { pricer, order } = await shop(rows);
  return pricer.basket(order, options);
}

export async function settledBasket(rows) {
  const basket = await newBasket(rows);
  await basket.settle();
  return basket;
}

/** The basket as a store that knows how many listen to it now, and how many ever did. */
export function counted(basket) {
  const listening = new Set();
  let subscriptions = 0;
  return Object.freeze({
    get listeners() {
      return listening.size;
    },
    get subscriptions() {
      return subscriptions;
    },
    get snapshot() {
      return basket.snapshot;
    },
    get initialSnapshot() {
      return basket.initialSnapshot;
    },
    subscribe(listener) {
      const unsubscribe = basket.subscribe(listener);
      listening.add(unsubscribe);
      subscriptions += 1;
      return () => {
        listening.delete(unsubscribe);
        unsubscribe();
      };
    },
  });
}

/** Resolves when the basket shows that. */
export async function until(basket, isReached) {
  const alive = setInterval(() => {}, 1_000); // the basket's own timers keep no process alive
  try {
    await new Promise((resolve) => basket.subscribe((snapshot) => isReached(snapshot) && resolve()));
  } finally {
    clearInterval(alive);
  }
}

/**
 * Fails each test in which the framework complains: warnings are how it reports a broken store or hydration. Returns
 * the list of complaints, from which a test may take those that it expects.
 */
export function allowNoWarning() {
  const complaints = [];
  beforeEach(() => {
    complaints.length = 0;
    for (const level of ["error", "warn"]) mock.method(console, level, (...args) => complaints.push(args.join(" ")));
  });
  afterEach(() => {
    mock.restoreAll();
    assert.deepEqual(complaints, []);
  });
  return complaints;
}
