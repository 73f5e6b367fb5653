// `order-cost/calculate`: the same prices from a module without baskets.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createPricer as createWhole, PricingError } from "order-cost";
import { PricingError as CalculateError, createPricer } from "order-cost/calculate";
import { createFetchHandler } from "order-cost/worker";
import { someOf } from "../effort.js";
import { readCorpus } from "../golden/corpus.mjs";
import { bodyBytes } from "../model/body.js";
import { replay } from "./replay.js";

const PACKAGE = fileURLToPath(new URL("../../pkg", import.meta.url));
const ORDER = { productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 3 }] };
const host = { lookupPrices: (keys) => keys.map(() => ({ price: 2 })) };

describe("the golden corpus", () => {
  const cases = readCorpus().filter(({ testCase }) => testCase.expect.zonesError === undefined);
  for (const { file, testCase } of someOf(cases)) {
    test(file, async () => {
      const { response, responseText, couponRequest, steps, ...fault } = testCase.expect;
      const { text, calls, cause, ...failed } = await replay(testCase, bodyBytes(testCase), createPricer);
      assert.equal(text, responseText ?? (response && JSON.stringify(response)));
      assert.deepEqual(failed, fault);
    });
  }
});

test("it has no baskets, and all else", async () => {
  const pricer = await createPricer(host);
  assert.equal(pricer.basket, undefined);
  const facts = pricer.facts();
  assert.equal((await pricer.calculate(ORDER, { facts })).grandTotal, 6);
  assert.deepEqual(Object.keys(facts.toJSON().prices), ["1/1000"]);
  assert.equal((await pricer.explain(ORDER)).order.grandTotal, 6);
});

test("a page that uses both entries has one of each module, and one class of errors", async () => {
  assert.equal(CalculateError, PricingError);
  const pricers = await Promise.all([createPricer(host), createWhole(host)]);
  const order = { productList: [{ ...ORDER.productList[0], quantity: "3" }] };
  for (const pricer of pricers) {
    await assert.rejects(pricer.calculate(order), (error) => error instanceof PricingError && error.code === "VALIDATION_ERROR");
    assert.equal((await pricer.calculate(ORDER)).grandTotal, 6);
  }
});

test("the routes take its pricer", async () => {
  const handle = createFetchHandler(() => createPricer(host));
  const request = new Request("http://shop.example/calculatecost4", { method: "POST", body: JSON.stringify(ORDER) });
  const response = await handle(request, {}, { waitUntil: () => {} });
  assert.equal((await response.json()).grandTotal, 6);
});

test("CommonJS has it", () => {
  const script = `
    const { createPricer, PricingError } = require("order-cost/calculate");
    if (PricingError !== require("order-cost").PricingError) throw new Error("two classes of errors");
    createPricer({ lookupPrices: () => [{ price: 2 }] })
      .then((pricer) => pricer.calculate(${JSON.stringify(ORDER)}))
      .then(({ grandTotal }) => console.log(grandTotal, PricingError.name));`;
  assert.equal(execFileSync(process.execPath, ["--eval", script], { cwd: PACKAGE, encoding: "utf8" }), "6 PricingError\n");
});
