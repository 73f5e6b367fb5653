// Facts that arrive from elsewhere, another tab say, while the host is asked for them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";

const products = [1001, 1002].map((cprcode) => ({ cprcode, productName: "", quantity: 1 }));
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A basket of these products whose host is asked for their prices. */
async function asking(productList) {
  const calls = [];
  const lookupPrices = (keys, { signal }) => new Promise((answer, fail) => calls.push({ keys, signal, answer, fail }));
  const pricer = await createPricer({ lookupPrices });
  const facts = pricer.facts();
  const basket = pricer.basket({ productList }, { facts });
  const settled = basket.settle();
  return { facts, basket, settled, calls };
}

describe("a price that is added while the host is asked for it", () => {
  test("counts at once, and the call ends if it asks for nothing else", async () => {
    const { facts, basket, settled, calls } = await asking(products.slice(0, 1));
    facts.add({ prices: { "1001/1000": { price: 39 } } });
    assert.deepEqual([basket.status, basket.isSettling, calls[0].signal.aborted], ["current", false, true]);
    assert.equal((await settled).grandTotal, 39);
  });

  test("stays when the call answers for the other products", async () => {
    const { facts, basket, settled, calls } = await asking(products);
    facts.add({ prices: { "1001/1000": { price: 39 } } });
    assert.deepEqual([basket.status, calls[0].signal.aborted], ["pending", false]);
    calls[0].answer([{ price: 1 }, { price: 2 }]);
    assert.equal((await settled).grandTotal, 41);
    assert.equal(calls.length, 1);
  });

  test("stays when the call fails", async () => {
    const { facts, basket, settled, calls } = await asking(products);
    facts.add({ prices: { "1001/1000": { price: 39 } } });
    calls[0].fail(new Error("down"));
    await assert.rejects(settled, { code: "PRICE_LOOKUP_FAILED" });
    assert.deepEqual([basket.rows[0].price, basket.problems.length], [39, 1]);
    facts.add({ prices: { "1002/1000": { price: 2 } } });
    assert.deepEqual([basket.status, basket.totals.grandTotal], ["current", 41]);
  });

  test("is asked for again after a refresh, whatever the old call answers", async () => {
    const { facts, basket, settled, calls } = await asking(products);
    facts.add({ prices: { "1001/1000": { price: 39 } } });
    basket.refresh(0);
    await turn();
    assert.deepEqual(
      calls[1].keys.map(({ cprcode }) => cprcode),
      [1001],
    );
    calls[0].answer([{ price: 1 }, { price: 2 }]);
    await turn();
    assert.deepEqual([basket.status, basket.totals.grandTotal], ["pending", 41]);
    calls[1].answer([{ price: 40 }]);
    assert.equal((await settled).grandTotal, 42);
  });
});
