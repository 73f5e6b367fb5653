// How JSON text is cut: each part as it is written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf, entriesOf, partsOf } from "../../pkg/shared/json-parts.js";
import fc, { cases } from "../property.js";

/** JSON text of a value with other space than JSON.stringify leaves. */
const spaced = (value, space) => JSON.stringify(value, undefined, 1).replaceAll("\n", space);

const SPACE = fc.constantFrom("", " ", "\n", "\r\n\t ");

test("the members of an object, and the items of a list, are those that JSON.parse finds", () => {
  const values = fc.oneof(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), fc.array(fc.jsonValue()));
  const property = fc.property(values, SPACE, (value, space) => {
    const text = `${space}${spaced(value, space)}${space}`;
    const read = JSON.parse(text);
    const items = partsOf(text).map((part) => JSON.parse(part.value));
    assert.deepEqual(items, Object.values(read));
    const members = entriesOf(text).map(([name, part]) => [name, JSON.parse(part)]);
    assert.deepEqual(members, Array.isArray(read) ? [] : Object.entries(read));
  });
  fc.assert(property, { numRuns: cases(1000) });
});

test("each part keeps its characters", () => {
  const text = ' { "a" : 1.50 , "a":1e400,"b\\u0063" : "}]\\"," ,\n"d":[ 1 , {"e":[]} ] ,"":{ }, "__proto__":NaN } ';
  const parts = [
    ['"a"', "1.50"],
    ['"a"', "1e400"],
    ['"b\\u0063"', '"}]\\","'],
    ['"d"', '[ 1 , {"e":[]} ]'],
    ['""', "{ }"],
    ['"__proto__"', "NaN"],
  ];
  assert.deepEqual(
    partsOf(text),
    parts.map(([key, value]) => ({ key, value })),
  );
  assert.deepEqual(
    entriesOf(text),
    parts.map(([key, value]) => [JSON.parse(key), value]),
  );
  assert.deepEqual(
    partsOf(' [ -0 , "\\\\" , null,[[],{}] ] ').map(({ value }) => value),
    ["-0", '"\\\\"', "null", "[[],{}]"],
  );
});

test("what is neither an object nor a list has no parts, and a list has no members", () => {
  for (const text of ["null", " 5 ", '"{}"', "NaN", ""]) assert.deepEqual(partsOf(text), [], text);
  for (const text of ["true", "[1,[2]]", " []"]) assert.deepEqual(entriesOf(text), [], text);
});

test("no depth is too deep", () => {
  const text = `[${"[".repeat(1e6)}${"]".repeat(1e6)}]`;
  assert.equal(partsOf(text)[0].value.length, 2e6);
  assert.equal(endOf(text, 0), text.length);
});
