import assert from "node:assert/strict";
import { test } from "node:test";
import { compareOrders } from "order-cost/compare";

const kinds = (left, right) => compareOrders(left, right).map(({ path, kind }) => `${path} ${kind}`);

test("equal orders have no differences, in any order of keys", () => {
  assert.deepEqual(compareOrders('{"a":1,"b":[{"c":null}]}', '{ "b": [ { "c": null } ], "a": 1 }'), []);
  assert.deepEqual(compareOrders({ a: 1 }, '{"a":1}'), []);
});

test("a field that one side lacks", () => {
  assert.deepEqual(compareOrders({ a: 1 }, {}), [{ path: "a", left: 1, right: undefined, kind: "missing" }]);
  assert.deepEqual(compareOrders("[1]", "[1,[2]]"), [{ path: "[1]", left: undefined, right: [2], kind: "missing" }]);
});

test("different types", () => {
  assert.deepEqual(kinds('{"a":1,"b":null,"c":[],"d":"1"}', '{"a":"1","b":{},"c":{},"d":1}'), ["a type", "b type", "c type", "d type"]);
});

test("a different notation of the same number is found only between texts", () => {
  for (const [left, right] of [
    ["100", "100.0"],
    ["1e2", "100"],
    ["0.10", "0.1"],
    ["-0", "0"],
    ["-0.50", "-5e-1"],
    ["0e-999999", "0"],
  ]) {
    assert.deepEqual(kinds(`{"a":${left}}`, `{"a":${right}}`), ["a numberFormat"], `${left} ${right}`);
    assert.deepEqual(kinds(`{"a":${left}}`, JSON.parse(`{"a":${right}}`)), []);
  }
});

test("numbers less than half a satang apart, to the last digit", () => {
  assert.deepEqual(kinds('{"a":0.1}', '{"a":0.10000000000000001}'), ["a underHalfSatang"]);
  assert.deepEqual(kinds('{"a":0.1}', '{"a":0.1049999999999999999}'), ["a underHalfSatang"]);
  assert.deepEqual(kinds('{"a":0.1}', '{"a":0.105}'), ["a value"]);
  assert.deepEqual(kinds('{"a":-0.002}', '{"a":0.002}'), ["a underHalfSatang"]);
  assert.deepEqual(kinds('{"a":-0.003}', '{"a":0.003}'), ["a value"]);
});

test("other values, by their path", () => {
  assert.deepEqual(compareOrders({ list: [{ a: "x" }], b: true }, { list: [{ a: "y" }], b: false }), [
    { path: "list[0].a", left: "x", right: "y", kind: "value" },
    { path: "b", left: true, right: false, kind: "value" },
  ]);
  assert.deepEqual(kinds('{"a":1e999999}', '{"a":1e999998}'), ["a value"]);
});

test("numbers in strings and odd keys are not changed", () => {
  const text = '{"a":"12 \\"3\\" \\\\","__proto__":1,"constructor":2}';
  assert.deepEqual(compareOrders(text, text), []);
  assert.deepEqual(kinds(text, '{"a":"12 \\"3\\" \\\\","constructor":2}'), ["__proto__ missing"]);
});

test("a string is never taken for a number, however long it is", () => {
  assert.deepEqual(kinds({ a: "n5" }, { a: 5 }), ["a type"]);
  assert.deepEqual(kinds({ a: "\0number x", s: "s" }, { a: "\0number y", s: "s" }), ["a value"]);
  const long = JSON.stringify({ a: "x".repeat(12_000_000) });
  assert.deepEqual(compareOrders(long, long), []);
});

test("a text that is not JSON throws", () => {
  assert.throws(() => compareOrders("{", "{}"), SyntaxError);
  assert.throws(() => compareOrders('{"a":01}', "{}"), SyntaxError);
});
