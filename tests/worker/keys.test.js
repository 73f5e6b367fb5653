import assert from "node:assert/strict";
import { test } from "node:test";
import { ZONES_KEY, canExist, priceKey, voucherKey } from "../../worker/src/keys.js";

test("the keys, as they are written in KV", () => {
  assert.equal(priceKey(1001, "1000"), "price:1001:1000");
  assert.equal(priceKey(-7, "../a:b c%2F"), "price:-7:..%2Fa%3Ab%20c%252F");
  assert.equal(priceKey(1001, "ร้าน"), "price:1001:%E0%B8%A3%E0%B9%89%E0%B8%B2%E0%B8%99");
  assert.equal(voucherKey("V/1"), "voucher:V%2F1");
  assert.equal(ZONES_KEY, "deliveryZones");
});

test("a key over KV's 512 bytes cannot exist", () => {
  assert.equal(canExist(priceKey(1001, "x".repeat(501))), true);
  assert.equal(canExist(priceKey(1001, "x".repeat(502))), false);
  assert.equal(canExist(voucherKey("ร".repeat(56))), true);
  assert.equal(canExist(voucherKey("ร".repeat(57))), false);
});
