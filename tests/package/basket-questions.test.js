// What a live basket asks: only what it does not know.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";

const PRODUCT = { cprcode: 1, productName: "น้ำปลา", quantity: 1 };

test("a basket whose prices are known does not ask for prices", async () => {
  const vouchers = { V: { ownerId: "malee", value: 5, isActive: true, isUsed: false } };
  const host = hostFromFacts({ prices: { 1: { price: 10 } }, vouchers });
  const pricer = await createPricer(host);
  const basket = pricer.basket({ productList: [PRODUCT], ownerId: "malee" });
  await basket.settle();
  basket.addProduct(PRODUCT);
  basket.setVouchers(["V"]);
  assert.equal((await basket.settle()).grandTotal, 15);
  assert.deepEqual(
    host.calls.map(({ name, argument }) => [name, argument]),
    [
      ["lookupPrices", [{ cprcode: 1, branchId: "1000" }]],
      ["lookupVouchers", ["V"]],
    ],
  );
});
