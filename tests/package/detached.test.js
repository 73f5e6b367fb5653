// What is handed out needs no `this`: methods work alone, as callbacks, too.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createCatalogue } from "order-cost/catalogue";
import { hostFromFacts, recordingHost, unreliable } from "order-cost/testing";
import { collection } from "../zones.js";
import { FACTS, FULL, open, orderOf, product, turn } from "./basket-shop.js";

/** The names of all methods but those of every object. */
function methodsOf(object) {
  const names = new Set(Object.keys(object));
  let from = Object.getPrototypeOf(object);
  for (; Object.getPrototypeOf(from) !== null; from = Object.getPrototypeOf(from)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(from)))
      if (typeof value === "function") names.add(name);
  }
  names.delete("constructor");
  return [...names].filter((name) => typeof object[name] === "function");
}

/** Calls a method without its object. */
const alone = (object, name) => (0, object[name]).bind(undefined);

suite("methods without their object", () => {
  test("of a pricer: in map, whose index is no options", async () => {
    const { pricer } = await open();
    const orders = [orderOf(product()), orderOf(product(1002))];
    const priced = await Promise.all(orders.map(pricer.calculate));
    assert.deepEqual(
      priced.map(({ grandTotal }) => grandTotal),
      [100, 30],
    );
    assert.equal((await Promise.all(orders.map(pricer.explain)))[1].order.grandTotal, 30);
    assert.equal((await Promise.all(orders.map((order) => JSON.stringify(order)).map(pricer.calculateJson))).length, 2);
    assert.equal(orders.map(pricer.basket)[1].rows[0].cprcode, 1002);
    assert.deepEqual(
      [{ rates: {} }, {}].map(pricer.facts).map((facts) => facts.toJSON().prices),
      [{}, {}],
    );
    alone(pricer, "setDeliveryZones")(collection());
    for (const name of ["calculateNow", "calculateJsonNow"]) assert.throws(() => [{}].map(pricer[name]), { code: "VALIDATION_ERROR" });
    assert.deepEqual(methodsOf(pricer).sort(), [
      "basket",
      "calculate",
      "calculateJson",
      "calculateJsonNow",
      "calculateNow",
      "explain",
      "facts",
      "setDeliveryZones",
    ]);
  });

  test("of a basket, those of its event target, too", async () => {
    const { basket } = await open({ order: FULL });
    const { settle, setQuantity, subscribe, addEventListener, removeEventListener, free } = basket;
    const heard = [];
    const listen = () => heard.push("change");
    addEventListener("change", listen);
    assert.equal((await settle()).grandTotal, 100);
    await turn();
    removeEventListener("change", listen);
    subscribe(({ totals }) => heard.push(totals.subTotal));
    setQuantity(0, 3);
    await turn();
    assert.deepEqual([heard[0], ...heard.slice(-2)], ["change", 100, 300]);
    for (const name of methodsOf(basket).filter((name) => name !== "free")) {
      // Each fails for its argument, or not at all.
      await Promise.resolve()
        .then(() => alone(basket, name)(NaN))
        .catch(({ message }) => assert.doesNotMatch(message, /private|anonymous|receiver|this|invocation/i, name));
    }
    free();
  });

  test("of a fact store, a catalogue and test hosts", async () => {
    const { pricer } = await open();
    const { add, toJSON, clear } = pricer.facts();
    add({ prices: { "1/1000": { price: 5 } } });
    assert.deepEqual(Object.keys(toJSON().prices), ["1/1000"]);
    clear();
    assert.deepEqual(toJSON().prices, {});
    const { state } = createCatalogue({ read: async () => new Map() });
    assert.equal(state().version, undefined);
    const { lookupPrices } = unreliable(recordingHost(hostFromFacts(FACTS)), {});
    assert.equal((await lookupPrices([{ cprcode: 1001, branchId: "1000" }]))[0].price, 100);
  });

  test("a method may still be replaced, and keeps its identity", async () => {
    const { pricer, basket } = await open();
    assert.equal(basket.settle, basket.settle);
    pricer.calculate = () => "mine";
    assert.equal(pricer.calculate(), "mine");
    assert.equal(Object.keys(basket).length, 0);
  });
});
