// The scanner behind `order-cost impact`, beside JSON.parse: it finds the same members, with every digit, in any JSON.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decimal, decimalText } from "../../pkg/shared/decimal.js";
import { membersOf, namesOf, ScanFault, spansInList } from "../../pkg-template/cli/impact/json-scan.js";
import { moneyIn, moneyText } from "../../pkg-template/cli/impact/money.js";
import fc, { cases } from "../property.js";

const NAMES = ["a", "price", "é", 'a"b'];
const name = fc.constantFrom("a", "price", "é", "aa", "", "pric");
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "grapheme" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('"', "\\", '{"a":1}', "]}"),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
})).object;
const spaced = fc.constantFrom(undefined, 1, "\t");

const text = (bytes) => bytes.toString();

describe("the scanner", () => {
  test("finds the members that JSON.parse finds, as they are written", () => {
    const check = (object, space) => {
      const found = membersOf(Buffer.from(JSON.stringify(object, null, space)), namesOf(...NAMES));
      for (const [index, name] of NAMES.entries()) {
        const expected = Object.hasOwn(object, name) && name !== 'a"b' ? object[name] : undefined;
        assert.deepEqual(found[index] === undefined ? undefined : JSON.parse(text(found[index])), expected);
      }
    };
    fc.assert(fc.property(value, spaced, check), { numRuns: cases(500) });
  });

  test("finds the members of each object in a list", () => {
    const check = (objects, space) => {
      const bytes = Buffer.from(JSON.stringify(objects, null, space));
      const spans = spansInList(bytes, namesOf("price"));
      const found = objects.map((_, index) =>
        spans[2 * index + 1] === 0 ? undefined : JSON.parse(text(bytes.subarray(spans[2 * index], spans[2 * index + 1]))),
      );
      assert.equal(spans.length, 2 * objects.length);
      assert.deepEqual(
        found,
        objects.map((object) => (Object.hasOwn(object, "price") ? object.price : undefined)),
      );
    };
    fc.assert(fc.property(fc.array(value, { maxLength: 80 }), spaced, check), { numRuns: cases(200) });
  });

  test("keeps every digit, and of one name the last", () => {
    const found = membersOf(Buffer.from('{"a":1.10,"b":[{"a":2}],"a" : 12345678901234567890.10 }'), namesOf("a"));
    assert.equal(text(found[0]), "12345678901234567890.10");
  });

  test("ends on every text that is cut off or altered", () => {
    const whole = '{"a":[1,{"b":"x\\"y"}],"price":-1.5e3,"c":{"d":[]},"e":null}';
    for (let length = 0; length < whole.length; length += 1) {
      assert.throws(() => membersOf(Buffer.from(whole.slice(0, length)), namesOf("a")), ScanFault, whole.slice(0, length));
    }
    const check = (place, byte) => {
      const bytes = Buffer.from(whole);
      bytes[place] = byte;
      try {
        membersOf(bytes, namesOf("a", "price"));
      } catch (error) {
        assert.ok(error instanceof ScanFault, `${error}`);
      }
    };
    fc.assert(fc.property(fc.nat(whole.length - 1), fc.nat(255), check), { numRuns: cases(1_000) });
  });
});

describe("money", () => {
  test("is the exact amount of a number, however it is written", () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,28})?$/);
    const check = (number) => assert.equal(moneyText(moneyIn(Buffer.from(number))), decimalText(decimal(number)).replace(/^-0$/, "0"));
    fc.assert(fc.property(digits, check), { numRuns: cases(1_000) });
    for (const number of ["1e2", "1.50e-3", "-0.0", "0.10000000000000000000000000000000", "0e9999"]) check(number);
  });

  test("is nothing where it is no number, or has more digits than money of this package", () => {
    for (const other of ["null", '"1"', "true", "{}", "0.00000000000000000000000000001", "1e-29", "1e9999"])
      assert.equal(moneyIn(Buffer.from(other)), undefined, other);
    assert.equal(moneyIn(undefined), undefined);
  });
});
