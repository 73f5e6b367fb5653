import assert from "node:assert/strict";
import { test } from "node:test";
import { compareOrders } from "order-cost/compare";
import { Numbers } from "../../worker/shadow/src/redaction/numbers.js";

/** Numbers as old and new services write them: equal ones, close ones, other spellings, none that a double holds. */
const TEXTS = [
  ...["0", "-0", "0.0", "1", "1.0", "1.00", "1e0", "1.004", "1.005", "1.0049999999999999999", "0.996", "-1", "812345678", "8.12345678e8"],
  ...["12345678901234567890.10", "12345678901234567890.1", "1e400", "1e-400", "1e999999999", "1e-999999999", "0.0000000001", "1001", "1002"],
];

test("what stands in for two numbers differs as they do", () => {
  const numbers = new Numbers();
  numbers.put("13.75", "20.5");
  const texts = [...TEXTS, "13.75", "13.750", "13.7512", "20.5"];
  const shown = texts.map((text) => numbers.of(text));
  const kind = (left, right) => compareOrders(`{"a":${left}}`, `{"a":${right}}`).map((difference) => difference.kind);
  for (const [at, left] of texts.entries()) {
    for (const [other, right] of texts.entries()) {
      assert.deepEqual(kind(shown[at], shown[other]), kind(left, right), `${left} and ${right}: ${shown[at]} and ${shown[other]}`);
    }
  }
  assert.equal(numbers.of("13.75"), "20.5");
  assert.ok(!shown.some((text) => /812345678|1234567890/.test(text)));
});

test("huge exponents are not calculated with", { timeout: 5_000 }, () => {
  const numbers = new Numbers();
  numbers.put("1e-999999999", "7");
  assert.equal(numbers.of("1e-999999999"), "7");
  for (const text of ["0", "1e999999999", "5e-999999998"]) assert.match(numbers.of(text), /^\d{4}$/);
});
