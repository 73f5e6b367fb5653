import assert from "node:assert/strict";
import { test } from "node:test";
import { numberText } from "../../pkg/shared/exact-json.js";
import { last, membersOf, objectOf, read, TooMuch, textIn, textOf } from "../../worker/src/captures/redaction/exact.js";

test("a text stays as it is: digits, the sequence of members, repeated names and odd ones", () => {
  for (const text of [
    '{"b":1.50,"a":-0,"10":1e400,"b":{"b":2,"2":3,"b":"b"},"__proto__":null,"s":"s","":"n1","1s":true}',
    '{"a \\"quoted\\": name":["1",1,{"\\\\":"\\\\"}],"ที่อยู่":"\\ud800","n":[]}',
    '"s"',
    "1.0",
    "[]",
    "{}",
    "null",
    "true",
  ]) {
    assert.equal(textOf(read(text)), text);
  }
  assert.equal(textOf(read(' { "a" : 1 , "a"\n:\t"b" } ')), '{"a":1,"a":"b"}');
});

test("of several members with one name the last counts", () => {
  const value = read('{"id":"first","id":7,"id":"last","price":1.50,"price":2.50}');
  assert.equal(textIn(value, "id"), "last");
  assert.equal(numberText(last(value, "price")), "2.50");
  assert.deepEqual(
    [textIn(value, "price"), textIn(value, "none"), last(value, "none"), last(undefined, "id")],
    [undefined, undefined, undefined, undefined],
  );
  assert.deepEqual(
    membersOf(value).map(([name]) => name),
    ["id", "id", "id", "price", "price"],
  );
  assert.equal(textOf(objectOf(membersOf(value).toReversed())), '{"price":2.50,"price":1.50,"id":"last","id":7,"id":"first"}');
});

test("what is no JSON is refused, and what is nested deeper than an order may be", () => {
  for (const text of ["", "{", '{"a":01}', "[1,]", "nul"]) assert.throws(() => read(text), SyntaxError);
  const nested = (levels) => `${'{"a":['.repeat(levels / 2)}"]]]"${"]}".repeat(levels / 2)}`;
  assert.equal(textOf(read(nested(120))), nested(120));
  assert.throws(() => read(nested(122)), TooMuch);
  assert.throws(() => read(`[${nested(120)}]`), TooMuch);
});
