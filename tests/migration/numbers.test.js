import assert from "node:assert/strict";
import { test } from "node:test";
import { compareOrders } from "order-cost/compare";
import { TooMuch } from "../../worker/src/captures/redaction/exact.js";
import { Numbers } from "../../worker/src/captures/redaction/numbers.js";

/** Numbers as old and new services write them: equal ones, close ones, other spellings, none that a double holds. */
const TEXTS = [
  ...["0", "-0", "0.0", "1", "1.0", "1.00", "1e0", "1.004", "1.0049999999999999999", "-1", "812345678", "8.12345678e8"],
  ...[
    "12345678901234567890.10",
    "12345678901234567890.1",
    "1e400",
    "1e-400",
    "1e999999999",
    "1e-999999999",
    "0.0000000001",
    "1001",
    "1002",
  ],
];

test("what stands in for two numbers differs as they do, but for the size of a difference under half a satang", () => {
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

test("two numbers on both sides of zero are as far apart as they were", () => {
  const numbers = new Numbers();
  const [above, below] = ["0.004", "-0.004"].map((text) => numbers.of(text));
  assert.deepEqual(
    compareOrders(`{"a":${above}}`, `{"a":${below}}`).map(({ kind }) => kind),
    ["value"],
  );
});

test("a coordinate that a service rounds does not give the rest of it away", () => {
  const numbers = new Numbers();
  numbers.put("13.724871", "20.5");
  for (const [at, rounded] of ["13.72", "13.725", "13.7249", "13.72487"].entries()) {
    assert.equal(numbers.of(rounded), `20.50000${at + 1}`);
    assert.equal(numbers.of(`${rounded}0`), `${numbers.of(rounded)}0`);
  }
});

test("many numbers far apart leave room for close ones, and too many close ones are too much", () => {
  const numbers = new Numbers();
  for (let at = 0; at < 6_000; at += 1) numbers.of(`${at}`);
  const [one, close] = [numbers.of("7"), numbers.of("7.001")];
  assert.deepEqual(
    compareOrders(`{"a":${one}}`, `{"a":${close}}`).map(({ kind }) => kind),
    compareOrders('{"a":7}', '{"a":7.001}').map(({ kind }) => kind),
  );
  assert.throws(() => {
    for (let at = 0; at < 5_000; at += 1) numbers.of(`9.${`${at}`.padStart(7, "0")}`);
  }, TooMuch);
});

test("huge exponents are not calculated with", () => {
  const numbers = new Numbers();
  numbers.put("1e-999999999", "7");
  assert.equal(numbers.of("1e-999999999"), "7");
  for (const text of ["0", "1e999999999", "5e-999999998"]) assert.match(numbers.of(text), /^\d{4}$/);
});

test("what would take very long is too much: many spellings of one number, many long numbers", () => {
  const put = (texts) => {
    const numbers = new Numbers();
    for (const text of texts) numbers.of(text);
  };
  const many = (textOf) => Array.from({ length: 1_000 }, (_, at) => textOf(at));
  assert.throws(() => put(many((at) => `0e${at}`)), TooMuch);
  assert.throws(() => put(many((at) => `${at}e-990`)), TooMuch);
  assert.throws(() => put(many((at) => `${at}e900`)), TooMuch);
  assert.throws(() => put(many((at) => `${at}.${"1".repeat(40)}`)), TooMuch);
  put(many((at) => `${at}.25`));
});
