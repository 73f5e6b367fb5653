import assert from "node:assert/strict";
import { test } from "node:test";
import { comparisonOf } from "../../worker/migration/src/comparison.js";
import { shadowLine } from "../../worker/migration/src/line.js";
import { shownPath } from "../../worker/src/captures/redaction/path.js";

const ok = (text) => ({ status: 200, text });
const failed = (text, status = 500) => ({ status, text });
const NOTHING = { status: null };
const DEEP = "[".repeat(2_000);

const CASES = [
  ["equal text", ok("not parsed"), ok("not parsed"), "same", 0, 0],
  ["another sequence of keys", ok('{"a":1,"grandTotal":5}'), ok('{"grandTotal":5,"a":1}'), "same", 0, 0],
  ["another total, exactly", ok('{"grandTotal":0.3}'), ok('{"grandTotal":0.1}'), "different", 1, -0.2],
  ["a total as text", ok('{"grandTotal":"5"}'), ok('{"grandTotal":5}'), "different", 1, null],
  ["a total beyond all numbers", ok('{"grandTotal":1e999}'), ok('{"grandTotal":5}'), "different", 1, null],
  ["no total", ok("{}"), ok('{"grandTotal":5}'), "different", 1, null],
  ["the old one has another status", ok('{"grandTotal":5}'), { status: 201, text: '{"grandTotal":5}' }, "newFailed", 0, 0],
  ["the old one says nothing", NOTHING, ok('{"grandTotal":5}'), "legacyFailed", 0, null],
  ["the old one breaks off", { status: 200 }, ok("{}"), "legacyFailed", 0, null],
  ["the old one writes no JSON", ok("<h1>"), ok("{}"), "legacyFailed", 0, null],
  ["the old one writes no object", ok("[]"), ok("{}"), "legacyFailed", 0, null],
  ["the old one is nested too deep", ok(`{"a":${DEEP}`), ok("{}"), "legacyFailed", 0, null],
  ["the old one fails with status 200", ok('{"error":"x"}'), ok('{"grandTotal":5}'), "legacyFailed", 0, null],
  ["both fail with status 200", ok('{"error":"x"}'), ok('{"error":"y"}'), "bothFailed", 1, null],
  ["an error that says nothing is a field", ok('{"error":null,"grandTotal":5}'), ok('{"grandTotal":3}'), "different", 2, -2],
  ["the new one fails", ok("{}"), failed('{"error":"x"}'), "newFailed", 0, null],
  ["both say nothing", NOTHING, NOTHING, "bothFailed", 0, null],
  ["both fail with one text", failed('{"error":"x"}'), failed('{"error":"x"}'), "same", 0, null],
  ["both fail with one message", failed('{"error":"x"}'), failed('{ "error": "x" }'), "same", 0, null],
  ["both fail with their own message", failed('{"error":"x"}'), failed('{"error":"y"}'), "bothFailed", 1, null],
  ["both fail with their own status", failed('{"error":"x"}', 400), failed('{"error":"x"}'), "bothFailed", 0, null],
];

for (const [name, legacy, fresh, outcome, count, delta] of CASES) {
  test(name, () => {
    const comparison = comparisonOf(legacy, fresh);
    assert.deepEqual([comparison.outcome, comparison.differences.length, comparison.grandTotalDelta], [outcome, count, delta]);
  });
}

test("a line has 20 differences at most, and counts all", () => {
  const rows = (price) => JSON.stringify({ productList: Array.from({ length: 30 }, () => ({ price })) });
  const line = shadowLine({ requestId: "r", route: "calculatecost2" }, "new", comparisonOf(ok(rows(1)), ok(rows(1.001))), {
    legacy: { status: 200, ms: 3 },
    new: { status: 200, ms: 4 },
  });
  assert.deepEqual(Object.keys(line), [
    "event",
    "requestId",
    "route",
    "served",
    "outcome",
    "status",
    "reason",
    "differences",
    "differenceCount",
    "grandTotalDelta",
    "ms",
  ]);
  assert.deepEqual([line.served, line.status, line.ms], ["new", { legacy: 200, new: 200 }, { legacy: 3, new: 4 }]);
  assert.equal(line.differences.length, 20);
  assert.deepEqual(line.differences[19], { path: "productList[19].price", kind: "underHalfSatang" });
  assert.equal(line.differenceCount, 30);
});

test("a path shows the names of the tables alone", () => {
  const paths = {
    "": "",
    grandTotal: "grandTotal",
    "productList[3].price": "productList[3].price",
    "shipping.scheduleList[0].mode": "shipping.scheduleList[0].mode",
    "summary.discountResult.discounts[0].coupon": "summary.discountResult.discounts[0].coupon",
    "Malee Srisuk": "…",
    "Malee.price": "….…",
    "cartDiscountInfo[0].price": "cartDiscountInfo[…].…",
    "validVouchers[0].phone": "validVouchers[0].…",
    "[0812345678]": "[…]",
    "[812345][6789]": "[…][…]",
    __proto__x: "…",
    constructor: "…",
  };
  for (const [path, shown] of Object.entries(paths)) assert.equal(shownPath(path), shown);
});
