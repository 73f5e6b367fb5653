// Orders as objects: values that JavaScript has and JSON does not (D14).
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { instanceId } from "../../pkg/core/instance.js";

const pricer = await createPricer(hostFromFacts({ prices: { 1001: { price: 10 } } }));
const PRODUCT = { cprcode: 1001, productName: "น้ำปลา", quantity: 2 };
const order = (fields, product) => ({ productList: [{ ...PRODUCT, ...product }], specialComment: null, ...fields });

const refusals = [
  ["quantity", order({}, { quantity: NaN }), "productList[0].quantity: expected an integer"],
  ["cprcode", order({}, { cprcode: 1001n }), "productList[0].cprcode: expected an integer"],
  ["an optional integer", order({}, { scheduleId: Infinity }), "productList[0].scheduleId: expected an integer"],
  ["a number", order({ orderDate: -Infinity }), "orderDate: expected a number"],
  ["a coordinate", order({ shipping: { shippingLat: NaN } }), "shipping.shippingLat: expected a number"],
  ["a string", order({ basketId: NaN }), "basketId: expected a string"],
  ["a boolean", order({ noPlasticBags: 1n }), "noPlasticBags: expected true or false"],
  ["an object", order({ shipping: NaN }), "shipping: expected an object"],
  ["an array", order({ voucherId: NaN }), "voucherId: expected an array"],
  ["a word", order({ shipping: { shippingType: NaN } }), "shipping.shippingType: expected one of DELIVERY, PICKUP"],
  ["a Number object", order({ orderDate: new Number(NaN) }), "orderDate: expected a number"],
  ["opaque JSON", order({ cartDiscountInfo: [{ a: [0, NaN] }] }), "cartDiscountInfo[0].a[1]: expected a number"],
];
for (const [what, input, message] of refusals) {
  test(`D14: no NaN, infinity or BigInt in ${what}`, async () => {
    const { path } = /^(?<path>[^:]+):/.exec(message).groups;
    await assert.rejects(pricer.calculate(input), { message: `Invalid order: ${message}`, code: "VALIDATION_ERROR", path });
  });
}

test("D2, D14: a dropped field may hold anything", async () => {
  const dropped = { price: NaN, rowTotal: 1n, unknown: { deep: [Infinity] } };
  assert.equal((await pricer.calculate(order({ extra: NaN }, dropped))).subTotal, 20);
});

test("D11: the first fault in document order counts, whatever its kind", async () => {
  const input = { productList: [{ ...PRODUCT, quantity: "2" }], orderDate: NaN };
  await assert.rejects(pricer.calculate(input), { path: "productList[0].quantity" });
  const { productList, orderDate } = input;
  await assert.rejects(pricer.calculate({ orderDate, productList }), { path: "orderDate" });
});

test("a value that is not an order", async () => {
  for (const input of [undefined, null, 5, NaN, 5n, "text", true, [], () => {}, Symbol("s")]) {
    await assert.rejects(pricer.calculate(input), { message: "Invalid order: expected an object", code: "VALIDATION_ERROR" });
  }
});

test("D10: a value that cannot be written as JSON", async () => {
  const cycle = order();
  cycle.cartDiscountInfo = [cycle];
  await assert.rejects(pricer.calculate(cycle), (error) => {
    assert.equal(error.message, "Failed to parse request body");
    assert.equal(error.code, "INVALID_JSON");
    assert.ok(error.cause instanceof TypeError);
    return true;
  });
  await assert.rejects(pricer.calculate(order({ cartDiscountInfo: [deepest()] })), { code: "INVALID_JSON" });
});

describe("a body is text, or bytes of any kind", () => {
  const bytes = new TextEncoder().encode(JSON.stringify(order()));
  const padded = new Uint8Array([0, 0, 0, 0, ...bytes, 0]);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const bodies = {
    "a Uint8Array": bytes,
    "an ArrayBuffer": bytes.buffer,
    "an ArrayBuffer of another realm": runInNewContext("Uint8Array.from(bytes).buffer", { bytes }),
    "a SharedArrayBuffer": shared.buffer,
    "a DataView of a part": new DataView(padded.buffer, 4, bytes.length),
    "a Buffer": Buffer.from(bytes),
    "a string": JSON.stringify(order()),
  };
  for (const [name, body] of Object.entries(bodies)) {
    test(name, async () =>
      assert.equal(new TextDecoder().decode(await pricer.calculateJson(body)), JSON.stringify(await pricer.calculate(order()))),
    );
  }
  const transferred = new Uint8Array(bytes);
  structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
  for (const body of [
    transferred,
    undefined,
    null,
    5,
    true,
    {},
    [1],
    order(),
    new Date(0),
    new Blob(["{}"]),
    { [Symbol.toStringTag]: "Uint8Array" },
  ]) {
    test(`refused: ${Object.prototype.toString.call(body)}`, async () => {
      await assert.rejects(pricer.calculateJson(body), {
        code: "VALIDATION_ERROR",
        path: "body",
        message: "Invalid order: body: expected a string, an ArrayBuffer or a view of one",
      });
    });
  }
});

function deepest() {
  let deep = {};
  for (let level = 0; level < 1000; level += 1) deep = { deep };
  return deep;
}

const unknown = {
  "a cycle": () => {
    const cycle = { note: 1 };
    cycle.self = [cycle];
    return cycle;
  },
  "a getter that throws": () => ({
    get note() {
      throw new Error("nobody reads it");
    },
  }),
  "a toJSON that throws": () => ({
    toJSON() {
      throw new Error("nobody reads it");
    },
  }),
  "1,000 levels": deepest,
  "2 MB": () => "x".repeat(2 ** 21),
  "a number that JSON does not have": () => [1n, NaN],
};
for (const [what, make] of Object.entries(unknown)) {
  test(`D2: under an unknown key ${what} is dropped`, async () => {
    const withUnknown = (unknown) => {
      const schedule = { mode: "EXPRESS", date_slot: { odd: 1 }, ...unknown };
      const shipping = { shippingType: "PICKUP", shippingDate: 7, ...unknown, scheduleList: [schedule] };
      return order({ ...unknown, shipping, cartDiscountInfo: [{ odd: 1 }] }, unknown);
    };
    const odd = make();
    const [sent, plain] = [withUnknown({ odd }), withUnknown({})];
    assert.deepEqual(await pricer.calculate(sent), await pricer.calculate(plain));
    assert.deepEqual((await pricer.explain(sent)).order, await pricer.calculate(plain));
    // A fault gives the same error with the same message.
    const wrong = { ...sent, productList: [...sent.productList, { odd, ...PRODUCT, quantity: "2" }] };
    await assert.rejects(pricer.calculate(wrong), { message: "Invalid order: productList[1].quantity: expected an integer" });
  });
}

test("D2: the result of toJSON is the order, the product and the shipping", async () => {
  const odd = unknown["a cycle"]();
  const asJson = (value) => ({ toJSON: () => ({ ...value, odd }) });
  const sent = asJson({ productList: [asJson(PRODUCT)], shipping: asJson({ shippingDate: 7 }) });
  const priced = await pricer.calculate(sent);
  assert.deepEqual([priced.subTotal, priced.shipping.shippingDate], [20, 7]);
});

test("D6: keys and strings of every kind come back", async () => {
  const odd = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"":null}');
  const priced = await pricer.calculate(order({ cartDiscountInfo: [odd], basketName: "\ud83d ก\u2028\0" }));
  assert.deepEqual(priced.cartDiscountInfo, [odd]);
  assert.equal(Object.hasOwn(priced.cartDiscountInfo[0], "__proto__"), true);
  assert.equal({}.polluted, undefined);
  assert.equal(priced.basketName, "\ud83d ก\u2028\0");
});

test("limits: of an object, of its JSON text", async () => {
  const size = Buffer.byteLength(JSON.stringify(order()));
  const host = hostFromFacts({ prices: { 1001: { price: 10 } } });
  const exact = await createPricer(host, { limits: { maxBodyBytes: size } });
  assert.equal((await exact.calculate(order())).subTotal, 20);
  const under = await createPricer(host, { limits: { maxBodyBytes: size - 1 } });
  const refused = { message: `Request body is larger than ${size - 1} bytes`, code: "LIMIT_EXCEEDED" };
  await assert.rejects(under.calculate(order()), refused);
  await assert.rejects(under.calculateJson(JSON.stringify(order())), refused);
});

test("limits: 2 MB and 10,000 lines are refused, 5,000 priced, and the instance goes on", async () => {
  const comment = "ก".repeat(700_000);
  await assert.rejects(pricer.calculate(order({ specialComment: comment })), {
    message: "Request body is larger than 1048576 bytes",
    code: "LIMIT_EXCEEDED",
  });
  const lines = (count) => ({ productList: Array.from({ length: count }, () => PRODUCT) });
  await assert.rejects(pricer.calculate(lines(10_000)), {
    message: "Invalid order: productList: expected at most 5000 products",
    code: "LIMIT_EXCEEDED",
  });
  assert.equal((await pricer.calculate(lines(5_000))).subTotal, 100_000);
});

test("a response is a new copy that later calculations do not change", async () => {
  const first = await pricer.calculateJson(JSON.stringify(order()));
  const before = first.slice();
  for (let i = 0; i < 50; i += 1) await pricer.calculateJson(JSON.stringify(order({ basketId: `${i}` })));
  assert.deepEqual(first, before);
});

/** The result of `calculate`, and the same through JSON text. */
async function both(order) {
  const text = await pricer.calculateJson(JSON.stringify(order));
  return [await pricer.calculate(order), JSON.parse(new TextDecoder().decode(text))];
}

const STRINGS = [
  "",
  "x",
  "น้ำปลา",
  "🐟 ปลา 🐠",
  'with "quotes" and \\ and \n',
  "\u0000\u001f\u007f\u2028",
  "\ud83d alone \ude00",
  "\\u0e01",
];

test("D6: names and remarks come back unchanged, in every place", async () => {
  for (const productName of STRINGS) {
    for (const remark of [...STRINGS, null, undefined]) {
      const product = { remark, ...PRODUCT, productName, unknown: productName };
      const [order, expected] = await both({ basketName: productName, productList: [PRODUCT, product, { ...PRODUCT, remark }] });
      assert.deepEqual(order, expected);
      assert.deepEqual(Object.keys(order), Object.keys(expected));
      assert.deepEqual(Object.keys(order.productList[1]), Object.keys(expected.productList[1]));
      assert.equal(order.productList[1].productName, productName);
    }
  }
});

test("orders of any size are encoded completely", async () => {
  for (const length of [87_380, 87_381, 87_382, 300_000]) {
    const [order, expected] = await both({ productList: [{ ...PRODUCT, productName: "ก".repeat(length) }], basketName: "after" });
    assert.deepEqual(order, expected);
  }
});

test("an order that changes during a look-up is priced and shown as it was before", async () => {
  const order = { productList: [{ ...PRODUCT }, { ...PRODUCT, productName: "second" }] };
  const slow = await createPricer({
    async lookupPrices() {
      await null;
      order.productList[0].productName = "changed";
      order.productList.pop();
      return [{ price: 10 }];
    },
  });
  const { productList } = await slow.calculate(order);
  assert.deepEqual(
    productList.map(({ productName, rowTotal }) => [productName, rowTotal]),
    [
      ["น้ำปลา", 20],
      ["second", 20],
    ],
  );
});

test("a failure after the pricing does not replace the module's instance", async (t) => {
  const instance = instanceId();
  const parse = t.mock.method(JSON, "parse", () => {
    throw new RangeError("Invalid string length");
  });
  for (const asked of ["calculate", "explain"]) await assert.rejects(pricer[asked](order()), { code: "INTERNAL" });
  parse.mock.restore();
  assert.equal(instanceId(), instance);
  assert.equal((await pricer.calculate(order())).subTotal, 20);
});
