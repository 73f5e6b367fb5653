// Baskets for the tests of every framework.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";

/** What one unit costs in every basket. */
export const PRICE = 10;

/** A pricer that knows one price, and an order of `rows` products, one unit each. */
export async function shop(rows = 2) {
  const codes = Array.from({ length: rows }, (_, index) => 1001 + index);
  const host = hostFromFacts({ prices: Object.fromEntries(codes.map((cprcode) => [cprcode, { price: PRICE }])) });
  const productList = codes.map((cprcode) => ({ cprcode, productName: `product ${cprcode}`, quantity: 1 }));
  return { pricer: await createPricer(host), order: { productList }, calls: host.calls };
}

/** A basket of `rows` rows, whose prices are unknown. */
export async function newBasket(rows, options) {
  const { pricer, order } = await shop(rows);
  return pricer.basket(order, options);
}

export async function settledBasket(rows) {
  const basket = await newBasket(rows);
  await basket.settle();
  return basket;
}

/**
 * A basket on a server that has asked for its prices, and the same in a page that was sent them, as JSON. `calls` are those
 * of the page's host.
 */
export async function sentBasket(rows) {
  const [server, page] = [await shop(rows), await shop(rows)];
  const facts = server.pricer.facts();
  await server.pricer.calculate(server.order, { facts });
  const { order, sent } = JSON.parse(JSON.stringify({ order: server.order, sent: facts }));
  const onServer = server.pricer.basket(server.order, { facts });
  const inPage = page.pricer.basket(order, { facts: page.pricer.facts(sent), autoSettle: { debounceMs: 0 } });
  return { onServer, inPage, calls: page.calls };
}

/** Fails if the basket in a page has asked, or would not ask for what it was not sent. */
export async function assertAsksNothing({ inPage, calls }) {
  await wait(20);
  assert.deepEqual(calls, []);
  assert.equal(inPage.status, "current");
  inPage.addProduct({ cprcode: 9999, productName: "", quantity: 1 });
  await until(inPage, ({ status }) => status === "failed");
  assert.deepEqual(
    calls.map(({ argument }) => argument),
    [[{ cprcode: 9999, branchId: "1000" }]],
  );
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
