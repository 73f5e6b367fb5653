import assert from "node:assert/strict";
import { test } from "node:test";
import * as keys from "../../pkg/catalogue/keys.js";
import { canExist, voucherKey } from "../../worker/src/look-ups/voucher-keys.js";

test("the keys, as they are written in KV", () => {
  assert.equal(keys.CURRENT_KEY, "current");
  assert.equal(keys.versionKey("ab"), "version:ab");
  assert.equal(keys.pushingKey("ab"), "pushing:ab");
  assert.equal(keys.shardKey("ab"), "shard:ab");
  assert.equal(keys.zonesKey("ab"), "zones:ab");
  assert.equal(keys.branchKey("ab"), "branch:ab");
  assert.equal(keys.layerKey("ab"), "layer:ab");
  assert.equal(keys.changesKey("ab"), "changes:ab");
  assert.equal(keys.historyKey("ab"), "history:ab");
  for (const key of ["shard:ab", "layer:ab", "branch:ab", "zones:ab", "changes:ab", "history:ab"])
    assert.ok(keys.isNamedByContent(key), key);
  for (const key of ["current", "version:ab", "pushing:ab"]) assert.ok(!keys.isNamedByContent(key), key);
  assert.equal(voucherKey("V/1"), "voucher:V%2F1");
});

test("a key over KV's 512 bytes cannot exist", () => {
  assert.equal(canExist(voucherKey("x".repeat(504))), true);
  assert.equal(canExist(voucherKey("x".repeat(505))), false);
  assert.equal(canExist(voucherKey("ร".repeat(56))), true);
  assert.equal(canExist(voucherKey("ร".repeat(57))), false);
});
