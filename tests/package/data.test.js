// order-cost/data: the checks agree with the pricer, name every fault, and load in any sequence.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createPricer } from "order-cost";
import { checkPrice, checkZones } from "order-cost/data";
import { box, collection, zone } from "../zones.js";

const NUMBER = "an amount as a JSON number, such as 12.5";
const FITTING = "an amount of at most 28 digits and 28 decimal places";
const AMOUNT = "an amount of 0 or more";
const FLAG = "true or false";
const COLUMNS = ["price", "originalPrice", "settlementPrice", "weight", "isControlledProduct"];
const HERE = fileURLToPath(new URL(".", import.meta.url));

const ORDER = { productList: [{ cprcode: 1, productName: "", quantity: 1 }] };
/** What the pricer says of a record; undefined if it takes it. */
async function messageOf(record) {
  const pricer = await createPricer({ lookupPrices: () => [record] });
  return pricer.calculate(ORDER).then(
    () => undefined,
    ({ message }) => message,
  );
}

suite("checkPrice", () => {
  const right = {
    "a price alone": '{"price":0}',
    "every column": '{"price":1,"originalPrice":2,"settlementPrice":3,"weight":0.5,"isControlledProduct":true}',
    "null in an optional column": '{"price":1,"originalPrice":null,"settlementPrice":null,"weight":null,"isControlledProduct":null}',
    "28 decimal places": '{"price":0.1234567890123456789012345678}',
    "the largest amount": '{"price":79228162514264337593543950335}',
    "30 digits that end in zeros": '{"price":1.00000000000000000000000000000}',
    exponents: '{"price":1.5e3,"weight":250E-3}',
    "other keys": '{"price":1,"name":"น้ำปลา","__proto__":{"price":-1},"Price":-1}',
    "a repeated column": '{"price":1,"price":2}',
    "an escaped key": '{"pric\\u0065":1}',
    "white space": ' {\n"price" : 1 }\t',
  };
  for (const [name, record] of Object.entries(right)) {
    test(`takes ${name}`, async () => {
      assert.deepEqual(checkPrice(record), []);
      assert.equal(await messageOf(record), undefined);
    });
  }

  const wrong = {
    "a missing price": ["{}", [["price", NUMBER]]],
    "a price of null": ['{"price":null}', [["price", NUMBER]]],
    "an empty price": ['{"price":""}', [["price", NUMBER]]],
    "a price as text": ['{"price":"37.25"}', [["price", NUMBER]]],
    "NaN as text": ['{"price":"NaN"}', [["price", NUMBER]]],
    "a negative price": ['{"price":-0.01}', [["price", AMOUNT]]],
    "a price beyond the largest amount": ['{"price":79228162514264337593543950336}', [["price", FITTING]]],
    "an exponent beyond it": ['{"price":1e29}', [["price", FITTING]]],
    "too many decimal places": ['{"price":0.12345678901234567890123456789}', [["price", FITTING]]],
    "30 digits": ['{"price":123456789012345678901234567890}', [["price", FITTING]]],
    "a wrong price that is repeated": ['{"price":-1,"price":1}', [["price", AMOUNT]]],
    "a flag as a number": ['{"price":1,"isControlledProduct":1}', [["isControlledProduct", FLAG]]],
    "a wrong column under an escaped key": ['{"price":1,"weigh\\u0074":-1}', [["weight", AMOUNT]]],
    "all columns, in their order": [
      '{"isControlledProduct":"yes","weight":{},"settlementPrice":[],"originalPrice":true,"price":"1"}',
      COLUMNS.map((column) => [column, column === "isControlledProduct" ? FLAG : NUMBER]),
    ],
    "all but the price, which is missing": [
      '{"weight":-1,"originalPrice":-1}',
      [
        ["price", NUMBER],
        ["originalPrice", AMOUNT],
        ["weight", AMOUNT],
      ],
    ],
    "no JSON": ['{"price":1', [["", "JSON"]]],
    "no JSON, and a wrong column": ['{"price":-1,"weight":NaN}', [["", "JSON"]]],
    NaN: ['{"price":NaN}', [["", "JSON"]]],
    "an empty text": ["", [["", "JSON"]]],
    "two records": ['{"price":1}\0{"price":1}', [["", "JSON"]]],
    null: ["null", [["", "an object"]]],
    "a list": ["[1]", [["", "an object"]]],
    "a number": ["37.25", [["", "an object"]]],
  };
  for (const [name, [record, faults]] of Object.entries(wrong)) {
    test(`finds ${name}`, async () => {
      assert.deepEqual(
        checkPrice(record),
        faults.map(([column, expected]) => ({ column, expected })),
      );
      assert.notEqual(await messageOf(record), undefined);
    });
  }

  for (const column of COLUMNS) {
    test(`words a wrong ${column} as the pricer does`, async () => {
      const [{ expected }, ...others] = checkPrice(JSON.stringify({ price: 1, [column]: "x" }));
      assert.deepEqual(others, []);
      const message = await messageOf({ price: 1, [column]: "x" });
      assert.equal(message, `Invalid answer from lookupPrices: 1/1000: ${column}: expected ${expected}`);
    });
  }

  test("what is no text is no JSON", () => {
    for (const record of [undefined, null, 5, {}, new Uint8Array(3)]) {
      assert.deepEqual(checkPrice(record), [{ column: "", expected: "JSON" }]);
    }
  });

  test("agrees with the pricer about 2,000 random records", async () => {
    const values = ["1", "-1", "null", '"1"', "true", "1e28", "1e29", "0.1", "{}", "[", "NaN", "01", "1."];
    const keys = [...COLUMNS, "remark"];
    let seed = 7;
    const pick = (list) => list[(seed = (seed * 48_271) % 2_147_483_647) % list.length];
    for (let round = 0; round < 2_000; round += 1) {
      const members = Array.from({ length: (round % 4) + 1 }, () => `"${pick(keys)}":${pick(values)}`);
      const record = `{${members}}`;
      const [first] = checkPrice(record);
      const message = await messageOf(record);
      assert.equal(first === undefined, message === undefined, record);
      if (first?.column === "") assert.match(message, /: expected JSON$/, record);
    }
  });
});

suite("checkZones", () => {
  const zonesText = (...zones) => JSON.stringify(collection(...zones));
  const feature = (properties, ring = box(0, 0)) => zone(properties, ring);
  const RIGHT = feature({ brcode: 1000, deliveryFee: 30 });
  const open = box(0, 0).slice(0, -1);
  for (const [zones, fault] of [
    [zonesText(), undefined],
    [zonesText(RIGHT), undefined],
    [`\ufeff${zonesText(RIGHT)}`, undefined],
    [zonesText(RIGHT, feature({ brcode: 1000, deliveryFee: -1 })), ["features[1].properties.deliveryFee", AMOUNT]],
    [zonesText(feature({ brcode: 1000 })), ["features[0].properties.deliveryFee", "a value"]],
    [zonesText(feature({ brcode: 1.5, deliveryFee: 1 })), ["features[0].properties.brcode", "an integer"]],
    [zonesText(feature(RIGHT.properties, open)), ["features[0].geometry.coordinates[0]", "a closed ring"]],
    [zonesText(feature(RIGHT.properties, [[0, 91]])), ["features[0].geometry.coordinates[0][0][1]", "a latitude between -90 and 90"]],
    ['{"type":"FeatureCollection"}', ["features", "a value"]],
    ["[]", ["", "an object"]],
    ["{", ["", "JSON"]],
    [undefined, ["", "JSON"]],
  ]) {
    test(`${fault ?? "nothing"}`, async () => {
      const expected = fault && [{ path: fault[0], expected: fault[1] }];
      assert.deepEqual(checkZones(zones), expected ?? []);
      if (typeof zones !== "string") return;
      const error = await createPricer({}, { deliveryZones: zones }).then(
        () => undefined,
        (thrown) => thrown,
      );
      assert.deepEqual([error?.code, error?.path], fault ? ["VALIDATION_ERROR", fault[0]] : [undefined, undefined]);
    });
  }
});

suite("loading", () => {
  /** Runs a script in a Node of its own. Returns what it prints. */
  const run = (script, type) =>
    execFileSync(process.execPath, [`--input-type=${type}`, "--eval", `${HEADS[type]}\n${script}`], {
      cwd: HERE,
      encoding: "utf8",
    }).trim();
  const HEADS = {
    module: 'import { createPricer, preload } from "order-cost"; import { checkPrice, checkZones } from "order-cost/data";',
    commonjs: 'const { createPricer, preload } = require("order-cost"); const { checkPrice, checkZones } = require("order-cost/data");',
  };
  const COUNT = `
    let instances = 0;
    for (const name of ["Instance", "instantiate"]) {
      const original = WebAssembly[name];
      WebAssembly[name] = new Proxy(original, {
        construct: (target, args) => ((instances += 1), Reflect.construct(target, args)),
        apply: (target, self, args) => ((instances += 1), Reflect.apply(target, self, args)),
      });
    }
    const order = ${JSON.stringify(ORDER)};
    const price = async (pricer) => (await pricer.calculate(order)).grandTotal;
    const make = () => createPricer({ lookupPrices: () => ['{"price":7}'] });
    const checked = () => checkPrice('{"price":-1}').length + checkZones("{").length + checkPrice('{"price":1}').length;`;
  const sequences = {
    "only the checks": ["console.log(checked(), instances)", "2 1"],
    "the checks first": [
      "console.log(checked()); make().then(price).then((total) => console.log(checked(), total, instances))",
      "2\n2 7 1",
    ],
    "the pricer first": ["make().then((pricer) => price(pricer).then((total) => console.log(checked(), total, instances)))", "2 7 1"],
    // Nobody can wait for the load that is under way: its instance replaces the other one.
    "the checks while the pricer loads": [
      `const made = make(); queueMicrotask(async () => {
        console.log(checked());
        const pricer = await made;
        console.log(checked(), await price(pricer), await price(await make()), checked());
      })`,
      "2\n2 7 7 2",
    ],
  };
  for (const type of Object.keys(HEADS)) {
    for (const [name, [script, expected]] of Object.entries(sequences)) {
      test(`${type}: ${name}`, () => assert.equal(run(`${COUNT}\n${script}`, type), expected));
    }
  }

  test("after preload the checks compile nothing, which a page may be forbidden", () => {
    const script = `
      preload().then(() => {
        WebAssembly.Module = class { constructor() { throw new RangeError("disallowed on the main thread"); } };
        console.log(checkPrice("{}").length);
      });`;
    assert.equal(run(script, "module"), "1");
  });

  for (const file of ["inline.js", "node.cjs"]) {
    test(`${file} has them for other runtimes than Node`, async () => {
      const { createPricer } = await import(`../../pkg/${file}`);
      const { checkPrice } = createPricer[Symbol.for("order-cost.checks")];
      assert.deepEqual(checkPrice('{"price":1}'), []);
    });
  }

  test("where WebAssembly is missing, the error says so", () => {
    const script = `
      const { WebAssembly } = globalThis;
      delete globalThis.WebAssembly;
      try { checkPrice("{}"); } catch ({ code, message }) { console.log(code, message); }
      globalThis.WebAssembly = WebAssembly;
      console.log(checkPrice("{}").length);`;
    const printed = run(script, "module");
    assert.match(printed, /^INTERNAL Could not load the WebAssembly module of order-cost: .+\n1$/);
  });
});
