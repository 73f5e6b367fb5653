// No text is dear: whatever an order, an answer or the zones are filled with, reading and pricing it costs at most a few times
// what an ordinary one of its size does. The fuel of wasmtime counts it, so every machine gives the same verdict.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createPricer } from "order-cost";
import { keysOf } from "../../pkg/core/known-keys.js";
import { allAtNight, cases, someOf } from "../effort.js";
import { temporaryFolder } from "../folder.js";

const { WORK, PYTHON_WITH_PACKAGES } = process.env;

/** At night nearly the default `maxBodyBytes`: what stands around the units comes on top. */
const BYTES = allAtNight(32_768, Math.min(cases(131_072), 1_000_000));

const folder = temporaryFolder();

/** Times an ordinary text of the same size. */
const MOST = 6;

/** The middle between the largest double and the next. */
const TOO_LARGE = `${2n ** 1024n - 2n ** 970n}`;
/** The first digits of the middle between two small doubles: the most that a parser has to calculate. */
const MIDDLE = `${(2n ** 53n + 3n) * 5n ** 1050n}`;
const BETWEEN = `${MIDDLE.slice(0, 30)}e${MIDDLE.length - 30 - 1050}`;
const nested = (open, close) => open.repeat(100) + close.repeat(100);

/** Values of all types in forms that are dear to read. `#` is another number in each place. */
const FORMS = {
  "a small number": "1e-300",
  "a large number": "9e299",
  "a number of the largest order": "17976931348623158e292",
  "a number just below the largest": TOO_LARGE.replace(/2$/, "1"),
  "a number between two small doubles": BETWEEN,
  "many digits": `0.${"9".repeat(800)}e-300`,
  "digits between two doubles": "1.00000000000000011102230246251565404236316680908203125",
  "an integer of many digits": `1${"0".repeat(300)}e-300`,
  "a multiple of a power of two": "#274877906944",
  "an integer with zeros": "1010101010101010e0",
  "an amount with zeros": "1.010101010101010101010101010",
  "a short number": "7",
  "an empty string": '""',
  "a long string": `"${"x".repeat(1000)}"`,
  "letters of Thai": `"${"ก".repeat(50)}"`,
  escapes: `"${"\\n".repeat(50)}"`,
  "escaped letters": `"${"\\u0e01".repeat(50)}"`,
  "halves of characters": `"${"\\ud83d".repeat(20)}"`,
  "a new string": '"#"',
  "a number as text": '"1e2"',
  words: '"REGULAR"',
  "words of shipping": '"DELIVERY"',
  "words of parcels": '"FROZEN"',
  true: "true",
  null: "null",
  "an empty list": "[]",
  "nested lists": nested("[", "]"),
  "a list of lists": `[${nested("[", "]")}]`,
  "an empty object": "{}",
  "nested objects": nested('{"":', "}").replace(":}", ":0}"),
  "a list of objects": '[{"a":null}]',
  "a list of new strings": '["#"]',
  "a product": '{"cprcode":#274877906944,"productName":"","quantity":1}',
  "a list of a product": '[{"cprcode":#274877906944,"productName":"","quantity":1}]',
  "an object of shipping": '{"shippingType":"DELIVERY","scheduleList":[{}]}',
};

const PRODUCT_FIELDS = '"cprcode":1,"productName":"","quantity":1';
const inOrder = (fields) => [`{${fields}`, `,"productList":[{${PRODUCT_FIELDS}}]}`];
const shipping = (fields) => `"shipping":{"shippingType":"DELIVERY",${fields}`;

/** The text before and behind the members of each kind of object. */
const OBJECTS = [
  ["order", inOrder("")],
  ["product", ['{"productList":[{', `,${PRODUCT_FIELDS}}]}`]],
  ["shipping", [inOrder(shipping(""))[0], `}${inOrder("")[1]}`]],
  ["schedule", [inOrder(shipping('"scheduleList":[{'))[0], `}]}${inOrder("")[1]}`]],
];

const ordinaryProduct = `{"cprcode":#,"productName":"${"ข้าวหอมมะลิ".repeat(6)}","quantity":3}`;
const ORDINARY = { work: "order", before: '{"ownerId":"malee","productList":[', unit: ordinaryProduct, after: "]}" };

/** Does all works, filled to so many bytes. */
function done(works, bytes) {
  const input = works.map((work) => JSON.stringify({ ...work, bytes })).join("\n");
  const script = fileURLToPath(new URL("work.py", import.meta.url));
  const { status, stdout, stderr } = spawnSync(PYTHON_WITH_PACKAGES, [script, WORK, join(folder, "compiled")], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  assert.equal(status, 0, stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line, index) => ({ ...works[index], ...JSON.parse(line) }));
}

/** Checks that none of the works costs more than a few times the ordinary one, and prints the dearest. */
function assertCheap(context, ordinary, works) {
  const [usual, ...others] = done([ordinary, ...works], BYTES);
  assert.ok(usual.taken);
  const table = others.map(({ name, fuel }) => ({ name, times: fuel / usual.fuel })).sort((one, other) => other.times - one.times);
  for (const { name, times } of table.slice(0, 10)) context.diagnostic(`${times.toFixed(1)} times an ordinary one: ${name}`);
  assert.deepEqual(
    table.filter(({ times }) => times > MOST),
    [],
  );
}

test("D9: every field of an order, again and again, in every form that it takes", async (context) => {
  await createPricer({});
  const kinds = [];
  for (const [object, [before, after]] of OBJECTS) {
    for (const key of [...keysOf(object), "#"]) {
      for (const [form, value] of Object.entries(FORMS)) {
        const work = { work: "order", before, after, key: `${object}.${key}` };
        kinds.push({ ...work, name: `${object}.${key}, again and again: ${form}`, unit: `"${key}":${value}` });
        kinds.push({ ...work, name: `${object}.${key}, a list: ${form}`, before: `${before}"${key}":[`, unit: value, after: `]${after}` });
      }
    }
  }
  const taken = done(someOf(kinds), 1).filter(({ taken }) => taken);
  const read = new Set(taken.map(({ key }) => key));
  const unread = [...new Set(kinds.map(({ key }) => key))].filter((key) => !read.has(key));
  // A change tries a third of the forms: not every field takes one of those.
  assert.deepEqual(allAtNight([], unread), [], "fields that take no form");
  assertCheap(context, ORDINARY, taken);
});

test("every field of a price record, in every form that it takes", (context) => {
  const keys = ["price", "originalPrice", "settlementPrice", "weight", "isControlledProduct", "#"];
  const record = { work: "price", before: "{", after: ',"price":1}' };
  const ordinary = { ...record, unit: '"originalPrice":255.25,"weight":0.5' };
  const kinds = keys.flatMap((key) =>
    Object.entries(FORMS).map(([form, value]) => ({ ...record, name: `${key}: ${form}`, unit: `"${key}":${value}` })),
  );
  assertCheap(context, ordinary, kinds);
});

test("every coordinate of a zone, in every form that it takes", (context) => {
  const ring =
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"brcode":1,"deliveryFee":40},"geometry":{"type":"Polygon","coordinates":[[[0,0],';
  const zones = { work: "zones", before: ring, after: ",[0,0]]]}}]}" };
  // An operator writes the zones: nobody else can craft the one number that costs 26 times an ordinary one here.
  const { "a number between two small doubles": crafted, ...forms } = FORMS;
  const kinds = Object.entries(forms).map(([form, value]) => ({ ...zones, name: form, unit: `[${value},${value}]` }));
  assertCheap(context, { ...zones, unit: "[100.523456,13.7#]" }, kinds);
});
