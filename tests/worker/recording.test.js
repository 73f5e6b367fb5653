// What a captured order is priced from.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { createCatalogue } from "order-cost/catalogue";
import { Recording, recordable } from "../../worker/src/orders/recording.js";
import { currentText, makeVersion } from "./catalogue.js";

test("a captured order is priced from a warm catalogue as any other, and its capture has the prices", async () => {
  const version = await makeVersion({ "1/1000": '{"price":5.00}', "2/1000": '{"price":0.1,"weight":2}' }, null, { shardCount: 1 });
  const texts = { ...version.texts, current: currentText(version) };
  const { lookupPrices } = await createCatalogue({ read: (names) => new Map(names.map((name) => [name, texts[name]])) }).version();
  const pricer = await createPricer(recordable({ lookupPrices }));
  const plain = await createPricer({ lookupPrices: (keys, ctx) => lookupPrices(keys, ctx) });
  const order = JSON.stringify({ productList: [1, 2, 1].map((cprcode) => ({ cprcode, productName: "x", quantity: 3 })) });
  const expected = await plain.calculateJson(order);
  for (let turn = 0; turn < 3; turn += 1) {
    const recording = new Recording();
    assert.deepEqual(await pricer.calculateJson(order, { context: { recording } }), expected);
    assert.deepEqual(recording.facts, { prices: { "1/1000": '{"price":5.00}', "2/1000": '{"price":0.1,"weight":2}' } });
    assert.deepEqual(await pricer.calculateJson(order, { context: {} }), expected);
    assert.deepEqual(pricer.calculateJsonNow(order, { context: {} }), expected, "it is warm");
  }
});
