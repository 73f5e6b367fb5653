// checkOrder and orderSchema of order-cost/data: every fault of an order, and the first is the one that calculate reports.
import assert from "node:assert/strict";
import { describe, suite, test } from "node:test";
import { createPricer } from "order-cost";
import { checkOrder, orderSchema, orderSchemaWith } from "order-cost/data";
import { readCorpus } from "../golden/corpus.mjs";
import { optionsFor } from "../golden/host.js";
import fc, { allAtNight, cases } from "../property.js";

const PRODUCT = { cprcode: 1001, productName: "น้ำปลา", quantity: 2 };
const INTEGER = "expected an integer";
const STRING = "expected a string";
const MODES = "expected one of REGULAR, EXPRESS, NATIONWIDE, PICKUP";

/** What calculate or calculateJson says of an order: `path: sentence`; undefined if the reader takes it. */
async function reported(order, { limits, input } = {}) {
  const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 1 })) }, { limits, input });
  const priced = typeof order === "string" ? pricer.calculateJson(order) : pricer.calculate(order);
  const error = await priced.then(
    () => undefined,
    (thrown) => thrown,
  );
  return ["VALIDATION_ERROR", "LIMIT_EXCEEDED", "INVALID_JSON"].includes(error?.code) ? error.message : undefined;
}

const lines = (order, options) => checkOrder(order, options).map(({ path, message }) => (path ? `${path}: ${message}` : message));

/** Checks that the list is empty exactly if the reader takes the order, and that it begins with what calculate reports. */
async function agrees(order, options) {
  const message = await reported(order, options);
  const found = lines(order, options);
  assert.equal(found[0], message?.replace("Invalid order: ", ""));
  return found;
}

suite("checkOrder", () => {
  const product = (fields) => ({ ...PRODUCT, ...fields });
  const order = (fields, ...products) => ({ productList: products.length > 0 ? products : [PRODUCT], ...fields });
  const circle = {};
  circle.self = circle;
  const many = (length, ...wrong) => Array.from({ length }, (_, index) => (wrong.includes(index) ? 5 : "A"));

  const objects = {
    "a right order": [order({ specialComment: "ไม่เผ็ด" }), []],
    "no order": [[], ["expected an object"]],
    nothing: [undefined, ["expected an object"]],
    "no product": [{}, ["productList: expected at least one product"]],
    "an empty list": [{ productList: [] }, ["productList: expected at least one product"]],
    "null for the products": [{ productList: null }, ["productList: expected at least one product"]],
    "a product of no fields": [
      { productList: [{}] },
      ["cprcode", "productName", "quantity"].map((key) => `productList[0].${key}: required`),
    ],
    "faults at every level, in document order": [
      {
        branchId: 1000,
        shipping: { scheduleList: [{ mode: "FAST" }, {}, { bookingHour: 9, booking_hour: "9" }], shippingLat: "13.7" },
        productList: [PRODUCT, { remark: 5, quantity: 1.5, cprcode: 1 }, null, "น้ำปลา", product({ quantity: null })],
        voucherId: ["A", null, 5],
        noPlasticBags: "yes",
      },
      [
        `branchId: ${STRING}`,
        `shipping.scheduleList[0].mode: ${MODES}`,
        `shipping.scheduleList[2].booking_hour: ${INTEGER}`,
        "shipping.shippingLat: expected a number",
        `productList[1].remark: ${STRING}`,
        `productList[1].quantity: ${INTEGER}`,
        "productList[1].productName: required",
        "productList[2]: expected an object",
        "productList[3]: expected an object",
        "productList[4].quantity: required",
        `voucherId[1]: ${STRING}`,
        `voucherId[2]: ${STRING}`,
        "noPlasticBags: expected true or false",
      ],
    ],
    "other types than objects and lists": [
      order({ shipping: [], voucherId: {}, couponCodeList: "A", basketName: [1, 2], orderDate: { a: 1 } }),
      [
        "shipping: expected an object",
        "voucherId: expected an array",
        "couponCodeList: expected an array",
        `basketName: ${STRING}`,
        "orderDate: expected a number",
      ],
    ],
    "products that are no list": [{ productList: { 0: PRODUCT } }, ["productList: expected an array"]],
    "too many entries, and wrong ones before and behind the limit": [
      order({ voucherId: many(150, 3, 99, 100, 149), couponCodeList: many(101) }),
      [
        `voucherId[3]: ${STRING}`,
        `voucherId[99]: ${STRING}`,
        "voucherId: expected at most 100 vouchers",
        "couponCodeList: expected at most 100 coupon codes",
      ],
    ],
    "a long branch": [order({ branchId: "1".repeat(129) }), ["branchId: expected at most 128 characters"]],
    "D14: what JSON cannot write": [
      order({ orderDate: NaN, extra: NaN }, product({ quantity: 2n, scheduleId: Infinity, price: NaN })),
      [`productList[0].quantity: ${INTEGER}`, `productList[0].scheduleId: ${INTEGER}`, "orderDate: expected a number"],
    ],
    "D14: one fault of what is passed on": [
      order({ cartDiscountInfo: [{ a: [0, NaN, NaN] }, NaN], basketId: 1 }),
      ["cartDiscountInfo[0].a[1]: expected a number", `basketId: ${STRING}`],
    ],
    "D2: a cycle in what is dropped": [order({ circle, basketId: 1 }), [`basketId: ${STRING}`]],
    "a cycle": [order({ cartDiscountInfo: [circle] }), ["Failed to parse request body"]],
    "a getter that throws": [
      {
        get productList() {
          throw new Error("gone");
        },
      },
      ["Failed to parse request body"],
    ],
    "toJSON, getters, undefined and holes": [
      {
        productList: [{ toJSON: () => product({ quantity: "2" }) }],
        get basketId() {
          return 1;
        },
        basketName: undefined,
        voucherId: [, "A"],
        orderDate: new Date(0),
      },
      [`productList[0].quantity: ${INTEGER}`, `basketId: ${STRING}`, `voucherId[0]: ${STRING}`, "orderDate: expected a number"],
    ],
    "keys of Object.prototype": [
      JSON.parse('{"__proto__":{"productList":5},"constructor":1,"shipping":{"__proto__":1,"brcode":"x"},"productList":[{"__proto__":1}]}'),
      [`shipping.brcode: ${INTEGER}`, ...["cprcode", "productName", "quantity"].map((key) => `productList[0].${key}: required`)],
    ],
  };
  for (const [name, [input, faults]] of Object.entries(objects)) {
    test(`an object: ${name}`, async () => assert.deepEqual(await agrees(input), faults));
  }

  const P = JSON.stringify(PRODUCT);
  const texts = {
    "no JSON": ['{"productList":', ["Failed to parse request body"]],
    "an empty text": ["", ["Failed to parse request body"]],
    NaN: [`{"productList":[${P}],"orderDate":NaN,"basketId":1}`, ["Failed to parse request body"]],
    "a number as text": ["5", ["expected an object"]],
    "white space and a byte order mark": [
      `\ufeff {\n "productList" : [ ${P} , { } ] ,\t"basketId" : 1\r} `,
      [...["cprcode", "productName", "quantity"].map((key) => `productList[1].${key}: required`), `basketId: ${STRING}`],
    ],
    escapes: [
      `{"product\\u004cist":[{"cprcode":1,"productName":"]}\\"\\\\","quantit\\u0079":"\\"}"}],"basketId":[]}`,
      [`productList[0].quantity: ${INTEGER}`, `basketId: ${STRING}`],
    ],
    "numbers beyond doubles": [
      `{"productList":[{"cprcode":9007199254740993,"productName":"","quantity":1.00000000000000000000000001}],"orderDate":1e999}`,
      [`productList[0].cprcode: ${INTEGER}`, `productList[0].quantity: ${INTEGER}`],
    ],
    "a coordinate beyond doubles": [`{"productList":[${P}],"shipping":{"shippingLat":1e999}}`, ["shipping.shippingLat: expected a number"]],
    "D9: a repeated key, once": [
      `{"basketId":1,"productList":[{"cprcode":"x","cprcode":null,"quantity":1,"quantity":"2"}],"basketId":2,"productList":[]}`,
      [
        `basketId: ${STRING}`,
        `productList[0].cprcode: ${INTEGER}`,
        `productList[0].quantity: ${INTEGER}`,
        "productList[0].productName: required",
      ],
    ],
  };
  for (const [name, [input, faults]] of Object.entries(texts)) {
    test(`a text: ${name}`, async () => assert.deepEqual(await agrees(input), faults));
  }

  test("D45: has the limits of its options", async () => {
    const limits = { maxProducts: 2, maxVouchers: 0, maxBodyBytes: 1000 };
    const wrong = order({ voucherId: [5] }, product({ quantity: "1" }), PRODUCT, {});
    assert.deepEqual(await agrees(wrong, { limits }), [
      `productList[0].quantity: ${INTEGER}`,
      "productList: expected at most 2 products",
      "voucherId: expected at most 0 vouchers",
    ]);
    const large = order({ specialComment: "x".repeat(1000) });
    assert.deepEqual(await agrees(large, { limits }), ["Request body is larger than 1000 bytes"]);
    const full = order({ basketId: 1, specialComment: "" });
    full.specialComment = "x".repeat(1000 - new TextEncoder().encode(JSON.stringify(full)).length);
    assert.deepEqual(await agrees(full, { limits }), [`basketId: ${STRING}`]);
    const none = { limits: { maxProducts: 0 } };
    assert.deepEqual(await agrees(order({ basketId: 1 }), none), ["productList: expected at most 0 products", `basketId: ${STRING}`]);
    assert.deepEqual(await agrees({ basketId: 1 }, none), [`basketId: ${STRING}`, "productList: expected at least one product"]);
  });

  test("D49: reads as lenient as its options say", async () => {
    const old = order({ basketId: 7, noPlasticBags: "true", shipping: { shippingType: "pickup" } }, product({ quantity: "x" }));
    assert.deepEqual(await agrees(old, { input: "lenient" }), [`productList[0].quantity: ${INTEGER}`]);
    assert.equal(lines(old).length, 4);
  });

  test("D47: refuses a misspelt option", () => {
    for (const [options, message] of [
      [{ limit: {} }, "Invalid options: limit: unknown, did you mean limits"],
      [{ limits: { maxProduct: 1 } }, "Invalid options: limits.maxProduct: unknown, did you mean maxProducts"],
      [{ input: "loose" }, "Invalid options: input: expected one of strict, lenient"],
    ]) {
      assert.throws(() => checkOrder({}, options), { name: "PricingError", code: "VALIDATION_ERROR", message });
    }
  });

  describe("D11: begins with the fault that calculate reports", () => {
    test("for every order of the golden corpus", async () => {
      let refused = 0;
      for (const { file, testCase } of readCorpus()) {
        const { limits, input } = optionsFor(testCase) ?? {};
        const { error, code, path } = testCase.expect;
        const isRefused = ["VALIDATION_ERROR", "LIMIT_EXCEEDED", "INVALID_JSON"].includes(code);
        for (const sent of [testCase.order, testCase.body]) {
          if (sent === undefined) continue;
          const [first, ...others] = checkOrder(sent, { limits, input });
          assert.equal(first !== undefined, isRefused, file);
          if (!isRefused) continue;
          refused += 1;
          assert.equal(error.replace("Invalid order: ", ""), first.path ? `${first.path}: ${first.message}` : first.message, file);
          if (path !== undefined) assert.equal(first.path, path, file);
          for (const { path: other } of others) assert.notEqual(other, "", file);
        }
      }
      assert.ok(refused > 60, `${refused} refused`);
    });

    const right = fc.record(
      {
        productList: fc.array(
          fc.record(
            {
              cprcode: fc.nat(),
              productName: fc.string(),
              quantity: fc.integer(),
              remark: fc.string(),
              scheduleId: fc.nat(),
              extra: fc.json(),
            },
            { requiredKeys: ["cprcode", "productName", "quantity"] },
          ),
          { minLength: 1, maxLength: 6 },
        ),
        voucherId: fc.array(fc.string(), { maxLength: 4 }),
        branchId: fc.string(),
        orderDate: fc.nat(),
        noPlasticBags: fc.boolean(),
        shipping: fc.record(
          {
            shippingLat: fc.double({ noNaN: true, noDefaultInfinity: true }),
            scheduleList: fc.array(
              fc.record(
                { mode: fc.constantFrom("REGULAR", "EXPRESS"), booking_hour: fc.nat(), date_slot: fc.jsonValue() },
                { requiredKeys: [] },
              ),
              { maxLength: 3 },
            ),
          },
          { requiredKeys: [] },
        ),
        cartDiscountInfo: fc.array(fc.jsonValue(), { maxLength: 3 }),
      },
      { requiredKeys: ["productList"] },
    );
    const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(NaN, undefined, null, 1.5, "", "x", {}, [], 2 ** 60, -0));
    const planted = fc.record({ at: fc.infiniteStream(fc.nat()), depth: fc.nat(5), value: anything, isRemoved: fc.boolean() });

    /** Replaces or removes a value somewhere in the order. */
    function plant(order, { at, depth, value, isRemoved }) {
      let inner = order;
      for (let level = 0; ; level += 1) {
        const keys = Object.keys(inner);
        if (keys.length === 0) return;
        const key = keys[at.next().value % keys.length];
        const isLeaf = typeof inner[key] !== "object" || inner[key] === null;
        if (level < depth && !isLeaf) inner = inner[key];
        else return isRemoved ? delete inner[key] : (inner[key] = structuredClone(value));
      }
    }

    const random = fc.tuple(right, fc.array(planted, { maxLength: 6 })).map(([order, faults]) => {
      const copy = structuredClone(order);
      for (const fault of faults) plant(copy, fault);
      return copy;
    });
    const LIMITS = { limits: { maxProducts: 5, maxVouchers: 3, maxSchedules: 2 } };

    test("for random orders with faults", async () => {
      const runs = allAtNight(200, cases(600));
      const options = fc.constantFrom(undefined, LIMITS, { input: "lenient" });
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(random, options, async (order, options) => {
          const found = await agrees(order, options);
          assert.equal(new Set(found.map((line) => line.split(": ")[0])).size, found.length, "a path comes once");
          refused += found.length > 0 ? 1 : 0;
          // What JSON.stringify sends is checked alike as a text.
          const text = JSON.stringify(order);
          assert.deepEqual(checkOrder(text, options), checkOrder(JSON.parse(text), options));
        }),
        { numRuns: runs },
      );
      assert.ok(refused > runs / 3, `${refused} of ${runs} refused`);
    });

    test("and lists all: once each is mended, the order is right", async () => {
      await fc.assert(
        fc.property(random, (order) => {
          for (const { path } of orderIssues(order).reverse()) mend(order, path);
          assert.deepEqual(lines(order), []);
        }),
        { numRuns: cases(300) },
      );
    });

    const orderIssues = (order) => orderSchema["~standard"].validate(order).issues ?? [];
    /** Of what is passed on, one fault is listed (D14). */
    const PASSED_ON = ["cartDiscountInfo", "date_slot"];
    const REQUIRED = { cprcode: 1, productName: "", quantity: 1, productList: [PRODUCT] };
    /** Removes the value at a path, or puts a right one there. */
    function mend(order, faulty) {
      const path = faulty.slice(0, faulty.findIndex((key) => PASSED_ON.includes(key)) + 1 || undefined);
      const place = path.slice(0, -1).reduce((inner, key) => inner[key], order);
      const key = path.at(-1);
      if (typeof key !== "number") place[key] = Object.hasOwn(REQUIRED, key) ? REQUIRED[key] : undefined;
      else place[key] = path.length > 2 ? undefined : { productList: PRODUCT, voucherId: "A" }[path[0]];
      if (typeof key === "number" && place[key] === undefined) place[key] = path.includes("scheduleList") ? {} : null;
    }
  });

  test("a body of 5,000 products with six faults each has 30,000 faults", () => {
    const wrong = { cprcode: "1", productName: 1, quantity: "1", scheduleId: "1", isPreOrder: 1, remark: 1 };
    assert.equal(checkOrder({ productList: Array.from({ length: 5000 }, () => wrong) }).length, 30_000);
  });
});

suite("orderSchema", () => {
  const { version, vendor, validate } = orderSchema["~standard"];

  test("is a Standard Schema of version 1", () => assert.deepEqual([version, vendor], [1, "order-cost"]));

  test("returns a right order as it is", () => {
    const order = { productList: [PRODUCT] };
    assert.equal(validate(order).value, order);
  });

  test("has an issue for every fault, with the keys of its path", () => {
    const order = {
      productList: [PRODUCT, { ...PRODUCT, quantity: NaN }],
      shipping: { scheduleList: [{ mode: "" }] },
      cartDiscountInfo: [{ "a/b": [NaN] }],
    };
    assert.deepEqual(validate(order), {
      issues: [
        { message: INTEGER, path: ["productList", 1, "quantity"] },
        { message: MODES, path: ["shipping", "scheduleList", 0, "mode"] },
        { message: "expected a number", path: ["cartDiscountInfo", 0, "a/b", 0] },
      ],
    });
  });

  test("has the keys as the order has them, whatever their signs", () => {
    for (const key of ['9qk" ', "a.b", "a[0]", "]", "7", ""]) {
      const order = { productList: [PRODUCT], cartDiscountInfo: [{ [key]: [true, NaN] }] };
      assert.deepEqual(validate(order), { issues: [{ message: "expected a number", path: ["cartDiscountInfo", 0, key, 1] }] });
    }
  });

  test("takes a text for no order", () => {
    for (const value of [undefined, null, 5, JSON.stringify({ productList: [PRODUCT] })]) {
      assert.deepEqual(validate(value), { issues: [{ message: "expected an object", path: [] }] });
    }
  });

  test("may have the options of a pricer", () => {
    const schema = orderSchemaWith({ input: "lenient", limits: { maxVouchers: 0 } });
    const order = { productList: [{ ...PRODUCT, quantity: "2" }], voucherId: ["A"] };
    const issue = { message: "expected at most 0 vouchers", path: ["voucherId"] };
    assert.deepEqual(schema["~standard"].validate(order), { issues: [issue] });
  });
});
