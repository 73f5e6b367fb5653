// D47: an unknown key in options is refused with the nearest known one. A misspelt policy would change money in silence.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { DEFAULT_POLICY, POLICIES } from "../../pkg/core/policies.js";
import { deliveredBy, squareZones } from "../zones.js";
import { errorOf, thrown } from "./errors.js";

const ORDER = { productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 1 }] };
const decoder = new TextDecoder();
const HOST = { lookupPrices: () => [{ price: 7 }] };
const pricer = await createPricer(HOST);

function assertRefused(error, path, meant) {
  const { code, message, retryable } = error;
  assert.deepEqual([code, error.path, retryable], ["VALIDATION_ERROR", path, false]);
  assert.equal(message, `Invalid options: ${path}: unknown, did you mean ${meant}`);
}

suite("createPricer rejects", () => {
  for (const [options, path, meant] of [
    [{ policy: { freeshipping: "waivesDelivery" } }, "policy.freeshipping", "freeShipping"],
    [{ policy: { rowtotal: "list" } }, "policy.rowtotal", "rowTotal"],
    [{ policy: { expressSurchage: "firstExpress" } }, "policy.expressSurchage", "expressSurcharge"],
    [{ policies: { rowTotal: "list" } }, "policies", "policy"],
    [{ limits: { maxProduct: 5 } }, "limits.maxProduct", "maxProducts"],
    [{ limit: { maxProducts: 5 } }, "limit", "limits"],
    [{ deadlineMS: 5 }, "deadlineMS", "deadlineMs"],
    [{ deliveryZone: undefined }, "deliveryZone", "deliveryZones"],
  ]) {
    test(path, async () => assertRefused(await errorOf(createPricer(HOST, options)), path, meant));
  }

  for (const [options, path, known] of [
    [{ ttl: 5 }, "ttl", ["policy", "limits", "deadlineMs", "deliveryZones", "module"]],
    [{ limits: { max: 5 } }, "limits.max", ["maxProducts"]],
    [{ policy: { "": 1 } }, "policy.", ["rowTotal"]],
  ]) {
    test(`${path}, which resembles nothing`, async () => {
      const { message } = await errorOf(createPricer(HOST, options));
      assert.ok(message.startsWith(`Invalid options: ${path}: unknown, expected one of `), message);
      for (const name of known) assert.match(message, new RegExp(`[ ,]${name}(?:,|$)`));
    });
  }

  test("only own enumerable keys count", async () => {
    const inherited = Object.assign(Object.create({ freeshipping: "waivesDelivery" }), { rowTotal: "list" });
    Object.defineProperty(inherited, "rowtotal", { value: "list", enumerable: false });
    await createPricer(HOST, { policy: inherited, [Symbol("mine")]: 1 });
  });

  for (const options of [undefined, {}, { policy: undefined }, { limits: {}, policy: {}, deadlineMs: 0 }]) {
    test(`right: ${JSON.stringify(options)}`, async () => void (await createPricer(HOST, options)));
  }
});

suite("a host with a name that is nearly right, and no right one", () => {
  const answer = () => [{ price: 7 }];
  for (const [name, meant] of [
    ["lookupPrice", "lookupPrices"],
    ["lookUpPrices", "lookupPrices"],
    ["validateCoupon", "validateCoupons"],
    ["nationwideRates", "nationwideRate"],
    ["lookUpVoucher", "lookupVouchers"],
  ]) {
    test(name, async () => assertRefused(await errorOf(createPricer({ [name]: answer })), `host.${name}`, meant));
  }

  test("other members are its own business", async () => {
    class Shop {
      cache = new Map();
      lookupPrices = answer;
      lookupPrice() {}
    }
    for (const host of [
      { db: 1, close() {} },
      { lookupPrices: answer, lookupPrice: answer },
      new Shop(),
      {},
      Object.create({ lookupPrices: answer }),
    ]) {
      await createPricer(host);
    }
  });

  test("a getter that throws is the failure of its look-up (D41)", async () => {
    const closed = new Error("closed");
    const host = {
      get lookupPrices() {
        throw closed;
      },
      lookupPrice: 1,
    };
    const error = await errorOf((await createPricer(host)).calculate(ORDER));
    assert.deepEqual([error.code, error.cause], ["PRICE_LOOKUP_FAILED", closed]);
  });
});

suite("a call rejects", () => {
  for (const name of ["calculate", "calculateJson", "explain"]) {
    test(name, async () => {
      const order = name === "calculateJson" ? JSON.stringify(ORDER) : ORDER;
      assertRefused(await errorOf(pricer[name](order, { requestID: "r-1" })), "requestID", "requestId");
      await pricer[name](order, { signal: undefined, requestId: "r-1", context: 5 });
    });
  }

  test("settle", async () => {
    const basket = pricer.basket(ORDER);
    assertRefused(await errorOf(basket.settle({ singal: AbortSignal.timeout(9) })), "singal", "signal");
    assert.equal((await basket.settle({})).grandTotal, 7);
    basket.free();
  });

  test("its host is not asked", async () => {
    let asked = 0;
    const counting = await createPricer({ lookupPrices: () => ((asked += 1), [{ price: 7 }]) });
    await errorOf(counting.calculate(ORDER, { contxt: 1 }));
    assert.equal(asked, 0);
  });
});

suite("a basket throws", () => {
  for (const [options, path, meant] of [
    [{ autosettle: true }, "autosettle", "autoSettle"],
    [{ autoSettle: { debounce: 5 } }, "autoSettle.debounce", "debounceMs"],
    [{ facts: {}, contxt: 1 }, "contxt", "context"],
  ]) {
    test(path, () =>
      assertRefused(
        thrown(() => pricer.basket(ORDER, options)),
        path,
        meant,
      ),
    );
  }

  test("a wrong value is no unknown key", () => {
    const { message } = thrown(() => pricer.basket(ORDER, { autoSettle: { debounceMs: -1 } }));
    assert.equal(message, "Invalid options: autoSettle: expected true, false or { debounceMs, retryMs }");
    for (const retryMs of [1000, [-1], ["1"]]) {
      const refused = thrown(() => pricer.basket(ORDER, { autoSettle: { retryMs } }));
      assert.equal(refused.message, "Invalid options: autoSettle.retryMs: expected a list of pauses in ms");
    }
  });
});

suite("policies (D48) and input (D49)", () => {
  test("a value that is none", async () => {
    for (const name of Object.keys(POLICIES)) {
      const { code, path, message } = await errorOf(createPricer(HOST, { policy: { [name]: "neither" } }));
      assert.deepEqual([code, path], ["VALIDATION_ERROR", `policy.${name}`]);
      if (name === "rowTotal") assert.equal(message, "Invalid options: policy.rowTotal: expected one of effective, list");
    }
  });

  test("no policy is the default of each, and every other value shows", async () => {
    const order = JSON.stringify({
      productList: [1, 2].map((cprcode) => ({ cprcode, productName: "ไข่", quantity: 2 })),
      couponCodeList: ["A"],
      shipping: deliveredBy("NATIONWIDE", "EXPRESS"),
    });
    const settled = { price: 8, settlementPrice: 6 };
    const facts = {
      prices: { 1: { price: 7, originalPrice: 9, isControlledProduct: true }, 2: settled },
      coupons: { discounts: [{ coupon: "A", two4Discount: 1, percentageDiscount: 0.1, freeshipping: true }] },
      rates: { DRY: { deliveryFee: 40 } },
    };
    const deliveryZones = squareZones(30);
    const textBy = async (policy) =>
      decoder.decode(await (await createPricer(hostFromFacts(facts), { policy, deliveryZones })).calculateJson(order));
    assert.equal(await textBy(undefined), await textBy(DEFAULT_POLICY));
    for (const [
      name,
      {
        values: [, ...others],
      },
    ] of Object.entries(POLICIES)) {
      for (const value of others) {
        // What is said about rowTotal shows only where that is another amount.
        const shows = async (more) => (await textBy({ ...more, [name]: value })) !== (await textBy(more));
        assert.ok((await shows({})) || (await shows({ rowTotal: "list" })), `${name}: ${value}`);
      }
    }
  });

  const LENIENT = { productList: [{ cprcode: "1", productName: "น้ำปลา", quantity: "2" }] };

  test("a pricer or a call may be lenient", async () => {
    const lenient = await createPricer(HOST, { input: "lenient" });
    assert.equal((await lenient.calculate(LENIENT)).grandTotal, 14);
    assert.equal((await pricer.calculate(LENIENT, { input: "lenient" })).grandTotal, 14);
    const refusal = { code: "VALIDATION_ERROR", path: "productList[0].cprcode" };
    await assert.rejects(pricer.calculate(LENIENT), refusal);
    await assert.rejects(lenient.calculate(LENIENT, { input: "strict" }), refusal);
    await assert.rejects(createPricer(HOST, { input: "loose" }), { message: "Invalid options: input: expected one of strict, lenient" });
    await assert.rejects(pricer.calculate(ORDER, { input: "loose" }), {
      message: "Invalid options: input: expected one of strict, lenient",
    });
  });

  test("so are the steps of a lenient order, and a basket of it", async () => {
    const lenient = await createPricer(HOST, { input: "lenient" });
    assert.equal((await lenient.explain(LENIENT)).order.grandTotal, 14);
    const basket = lenient.basket(LENIENT);
    assert.equal((await basket.settle()).grandTotal, 14);
    basket.free();
  });

  test("every edit of a lenient basket reads alike, and its order is as read", async () => {
    const lenient = await createPricer({ ...HOST, lookupPrices: (keys) => keys.map(() => ({ price: 7 })) }, { input: "lenient" });
    const basket = lenient.basket({ ...LENIENT, unknown: "1", couponCodeList: null });
    const product = { cprcode: 1, productName: "น้ำปลา", quantity: 2 };
    assert.deepEqual(basket.order, { productList: [product], unknown: "1", couponCodeList: null });
    const [{ key }] = basket.rows;
    const schedule = { scheduleId: "3", mode: "pickup", nationwideConfig: 4, pickingStatus: "5", deliveryFee: "6" };
    for (const [name, argument, part, read] of [
      ["setQuantity", [0, "6"], "productList", [{ ...product, quantity: 6 }]],
      ["updateProduct", [0, { quantity: "5", remark: 7 }], "productList", [{ ...product, quantity: 5, remark: "7" }]],
      ["addProduct", [{ ...product, isPreOrder: "true", unknown: 1 }], "productList[1]", { ...product, isPreOrder: true, unknown: 1 }],
      ["addProducts", [[{ ...product, scheduleId: "1" }]], "productList[2]", { ...product, scheduleId: 1 }],
      ["insertProduct", [0, { ...product, cprcode: "2" }], "productList[0]", { ...product, cprcode: 2 }],
      ["setBranch", [1001], "branchId", "1001"],
      ["setOwner", [5], "ownerId", "5"],
      ["setVouchers", [[12]], "voucherId", ["12"]],
      ["setCoupons", [["A", 12]], "couponCodeList", ["A", "12"]],
      [
        "setShipping",
        [{ shippingType: "delivery", brcode: "12", scheduleList: [schedule] }],
        "shipping",
        { shippingType: "DELIVERY", brcode: 12, scheduleList: [{ ...schedule, scheduleId: 3, mode: "PICKUP", nationwideConfig: "4" }] },
      ],
      ["replace", [LENIENT], "productList", [product]],
    ]) {
      basket[name](...argument);
      const [list, index] = part.split(/[[\]]/);
      assert.deepEqual(index === undefined ? basket.order[list] : basket.order[list][index], read, name);
    }
    assert.equal(basket.rows[0].key, key, "a code in a text is the same product");
    const { snapshot } = basket;
    basket.setQuantity(0, "2");
    assert.equal(basket.snapshot, snapshot);
    basket.replace({ productList: [{ ...product, quantity: "2" }], unknown: "2" });
    assert.deepEqual(basket.order, { productList: [product], unknown: "2" }, "an unknown key that changes beside a text");
    for (const wrong of ["", "six", "1.5", null, undefined, true, [], {}, Symbol("6"), 6n]) {
      assert.throws(() => basket.setQuantity(0, wrong), {
        path: "productList[0].quantity",
        message: "Invalid order: productList[0].quantity: expected an integer",
      });
    }
    assert.throws(() => pricer.basket(ORDER).setQuantity(0, "6"), { path: "productList[0].quantity" });
    assert.equal((await lenient.basket(LENIENT).quote({ basketName: 5 })).basketName, "5");
  });
});
