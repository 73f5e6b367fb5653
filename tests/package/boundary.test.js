// The boundary between JavaScript and the module, as callers and hosts see it. Changes behind it must not change it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { after, before, describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createPricer, PricingError } from "order-cost";
import { enter, instanceId } from "../../pkg/core/instance.js";
import { instanceId as faultyInstanceId } from "../../target/faulty-pkg/core/instance.js";
import { createPricer as createFaultyPricer } from "../../target/faulty-pkg/node.js";
import { allAtNight } from "../effort.js";
import { errorOf } from "./errors.js";

const FUNCTIONS = ["lookupPrices", "nationwideRate", "lookupVouchers", "validateCoupons"];
const FIRST_WAVE = FUNCTIONS.slice(0, 3);
const CODES = {
  lookupPrices: "PRICE_LOOKUP_FAILED",
  nationwideRate: "NATIONWIDE_RATE_FAILED",
  lookupVouchers: "VOUCHER_LOOKUP_FAILED",
  validateCoupons: "COUPON_SERVICE_FAILED",
};
const METHODS = ["calculate", "calculateJson", "explain"];

/** An order that needs every look-up. Its two modes are not in the sequence of the alphabet or of the contract. */
const FULL = {
  productList: [
    { cprcode: 1001, productName: "ข้าวหอมมะลิ", quantity: 3, remark: 'two "bags"' },
    { cprcode: 9_007_199_254_740_991, productName: "น้ำปลา 🐟", quantity: 1 },
  ],
  shipping: {
    shippingType: "DELIVERY",
    scheduleList: ["MIX", "DRY", "MIX"].map((nationwideMode) => ({ mode: "NATIONWIDE", nationwideMode })),
  },
  couponCodeList: ["SAVE20", "OTHER"],
  voucherId: ["V2", "V1"],
  ownerId: "malee",
  basketId: "b-1",
  orderDate: 1_700_000_000_000,
};
const PRICES = { 1001: 37.25, 9007199254740991: 20 };
const answers = {
  lookupPrices: (keys) => keys.map(({ cprcode }) => ({ price: PRICES[cprcode] ?? cprcode })),
  nationwideRate: ({ nationwideMode }) => ({ deliveryFee: nationwideMode === "MIX" ? 60 : 45 }),
  lookupVouchers: (ids) => ids.map((id) => ({ ownerId: "malee", value: 50, isActive: true, isUsed: id === "V2" })),
  validateCoupons: ({ couponCodeList }) => ({ discounts: [{ coupon: couponCodeList[0], discount: 20 }] }),
};
const GRAND_TOTAL = 3 * 37.25 + 20 + (60 + 45 + 60) - 20 - 50;

/** One line of a unique size, so that its bytes would show in another order. */
const orderOf = (cprcode) => ({
  basketId: `basket ${"ก".repeat(cprcode)}`,
  productList: [{ cprcode, productName: `product ${"x".repeat(3 * cprcode)}`, quantity: 1, remark: `${cprcode}` }],
  ownerId: `owner ${cprcode}`,
});

const quick = await createPricer(answers);
const FULL_PRICED = await quick.calculate(FULL);

const textOf = (bytes) => new TextDecoder().decode(bytes);
const argumentFor = (method, order) => (method === "calculateJson" ? JSON.stringify(order) : order);
/** The result of any method as an object. */
const shown = (result) => (result instanceof Uint8Array ? JSON.parse(textOf(result)) : result);
const run = (pricer, method, order, call) => pricer[method](argumentFor(method, order), call);
const never = () => new Promise(() => {});
const thrower = (thrown) => () => {
  throw thrown;
};

/** Prices other orders repeatedly and checks in the end that every result is right. */
class Others {
  #prices = [];

  price() {
    for (const method of METHODS) {
      const cprcode = 2 + this.#prices.length;
      const check = async () => {
        const result = shown(await run(quick, method, orderOf(cprcode)));
        const order = method === "explain" ? result.order : result;
        const [{ productName, price, remark }] = order.productList;
        assert.deepEqual(
          [order.basketId, productName, remark, price],
          [orderOf(cprcode).basketId, orderOf(cprcode).productList[0].productName, `${cprcode}`, cprcode],
        );
      };
      this.#prices.push(check());
    }
  }

  async assertRight() {
    assert.ok(this.#prices.length > 0, "another order was priced meanwhile");
    await Promise.all(this.#prices);
  }
}

describe("this", () => {
  class Shop {
    #prices = answers.lookupPrices;
    seen = new Set();
    lookupPrices(keys) {
      this.seen.add("lookupPrices");
      return this.#prices(keys);
    }
    nationwideRate(query) {
      this.seen.add("nationwideRate");
      return answers.nationwideRate(query);
    }
  }
  class LargeShop extends Shop {
    nationwideRate(query) {
      return super.nationwideRate(query);
    }
    get lookupVouchers() {
      this.seen.add("lookupVouchers, read");
      return function (ids) {
        this.seen.add("lookupVouchers");
        return answers.lookupVouchers(ids);
      };
    }
    validateCoupons = async function (request) {
      this.seen.add("validateCoupons");
      return answers.validateCoupons(request);
    };
  }

  test("is the host, for own and inherited methods and for those from a getter", async () => {
    for (const method of METHODS) {
      const host = new LargeShop();
      const result = shown(await run(await createPricer(host), method, FULL));
      assert.equal((result.order ?? result).grandTotal, GRAND_TOTAL);
      assert.deepEqual([...host.seen], ["lookupPrices", "nationwideRate", "lookupVouchers, read", "lookupVouchers", "validateCoupons"]);
    }
  });

  test("is the host of a basket, too", async () => {
    const host = new LargeShop();
    const basket = (await createPricer(host)).basket(FULL);
    assert.equal((await basket.settle()).grandTotal, GRAND_TOTAL);
    assert.equal(host.seen.size, 5);
    basket.free();
  });

  test("is the very object that was passed, and there are two arguments", async () => {
    const seen = [];
    const target = Object.assign(Object.create(null), answers);
    const host = new Proxy(target, {
      get: (_, name) =>
        function (...args) {
          seen.push([this, args.length]);
          return target[name](...args);
        },
    });
    await (await createPricer(host)).calculate(FULL);
    assert.equal(seen.length, 5);
    for (const [self, count] of seen) assert.deepEqual([self === host, count], [true, 2]);
  });

  test("a getter is read once for each call, and not without a call", async () => {
    const reads = [];
    const host = {};
    for (const name of FUNCTIONS) {
      const get = () => (reads.push(name), answers[name]);
      Object.defineProperty(host, name, { get });
    }
    const pricer = await createPricer(host);
    assert.deepEqual(reads, []);
    await pricer.calculate(FULL);
    assert.deepEqual(reads.splice(0), ["lookupPrices", "nationwideRate", "nationwideRate", "lookupVouchers", "validateCoupons"]);
    await pricer.calculate(orderOf(1));
    assert.deepEqual(reads, ["lookupPrices"]);
  });

  for (const name of FUNCTIONS) {
    test(`a getter of ${name} that throws fails that look-up, as if the function had thrown`, async () => {
      const thrown = new Error("not today");
      const called = [];
      const host = Object.fromEntries(FUNCTIONS.map((name) => [name, (asked) => (called.push(name), answers[name](asked))]));
      Object.defineProperty(host, name, { get: thrower(thrown) });
      const { code, message, retryable, cause } = await errorOf((await createPricer(host)).calculate(FULL));
      assert.deepEqual([code, message, retryable, cause === thrown], [CODES[name], "not today", true, true]);
      assert.deepEqual(
        [...new Set(called)],
        FIRST_WAVE.filter((other) => other !== name),
      );
    });
  }
});

describe("work that nobody holds any more", () => {
  const SCRIPT = fileURLToPath(new URL("boundary-memory.js", import.meta.url));
  const measure = async (what, count) => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", SCRIPT, what, `${count}`]);
    return JSON.parse(stdout);
  };
  const COUNT = allAtNight(50, 300);
  const WAITING = ["a basket that waits for ever", "a calculation that waits for ever", "a calculation with a signal that waits for ever"];
  for (const what of ["a settled basket", ...allAtNight([], WAITING)]) {
    test(`${what} gives its memory back, and does not keep the instance`, async (context) => {
      const { dropped, held, isReplaced, left } = await measure(what, COUNT);
      context.diagnostic(`dropped: ${JSON.stringify(dropped)}, held: ${JSON.stringify(held)}`);
      // The measurement does find work that is held.
      assert.ok(held.module > COUNT * 2_000 && held.heap > COUNT * 1_000);
      assert.ok(dropped.module < held.module / 4);
      assert.ok(dropped.heap < held.heap / 4);
      assert.ok(isReplaced && left < 64 * 2 ** 20, `${left} bytes are left`);
    });
  }

  test("a basket that nobody freed leaves not even a reference", async (context) => {
    const count = allAtNight(3_000, 5_000);
    // A WeakRef in a Set takes more.
    const most = count * 40;
    let least = Infinity;
    // The engine's own work adds to the heap now and then, and never makes it smaller: the least of some measurements.
    for (let attempt = 0; attempt < 5 && least >= most; attempt += 1) {
      const { dropped, held } = await measure("a small basket", count);
      context.diagnostic(`dropped: ${JSON.stringify(dropped)}, held: ${JSON.stringify(held)}`);
      assert.ok(held.module > count * 1_000 && held.heap > count * 500);
      assert.ok(dropped.module < held.module / 4);
      least = Math.min(least, dropped.heap);
    }
    assert.ok(least < most, `${least / count} bytes each`);
  });
});

describe("an order's own bytes are priced", () => {
  const host = {
    ...answers,
    // `requestId` and `context` of a call are read only if the host reads them.
    lookupPrices: (keys, { requestId, context }) => (requestId, context, answers.lookupPrices(keys)),
  };

  for (const method of METHODS) {
    const same = (result) => assert.deepEqual(shown(result), method === "explain" ? { ...shown(result), order: FULL_PRICED } : FULL_PRICED);

    for (const key of ["signal", "requestId", "context"]) {
      test(`${method}, where the call's ${key} prices others`, async () => {
        const others = new Others();
        const call = {
          get [key]() {
            others.price();
            return undefined;
          },
        };
        same(await run(await createPricer(host), method, FULL, call));
        await others.assertRight();
      });
    }

    test(`${method}, where the host prices others`, async () => {
      const others = new Others();
      const busy = Object.fromEntries(FUNCTIONS.map((name) => [name, (asked) => (others.price(), answers[name](asked))]));
      same(await run(await createPricer(busy), method, FULL));
      const later = Object.fromEntries(
        FUNCTIONS.map((name) => [name, async (asked) => (await turn(), others.price(), answers[name](asked))]),
      );
      same(await run(await createPricer(later), method, FULL));
      await others.assertRight();
    });
  }

  test("bytes, where the call's signal prices others", async () => {
    const others = new Others();
    const bytes = new TextEncoder().encode(JSON.stringify(FULL));
    const call = {
      get signal() {
        return void others.price();
      },
    };
    assert.deepEqual(shown(await quick.calculateJson(bytes, call)), FULL_PRICED);
    await others.assertRight();
  });

  const [first, second] = FULL.productList;
  /** Orders that equal FULL once they are read. */
  const READERS = {
    "an order's toJSON": (others) => ({ toJSON: () => (others.price(), FULL) }),
    "an order's last getter": (others) => ({
      ...FULL,
      get specialComment() {
        return void others.price();
      },
    }),
    "a product's getter": (others) => ({
      ...FULL,
      productList: [
        first,
        {
          ...second,
          get remark() {
            return void others.price();
          },
        },
      ],
    }),
    "an order that is written twice, for a cycle under an unknown key": (others) => {
      const order = {
        ...FULL,
        get specialComment() {
          return void others.price();
        },
      };
      return Object.assign(order, { unknown: [order] });
    },
  };
  for (const [what, make] of Object.entries(READERS)) {
    test(`where ${what} prices others`, async () => {
      const others = new Others();
      assert.deepEqual(await quick.calculate(make(others)), FULL_PRICED);
      assert.deepEqual((await quick.explain(make(others))).order, FULL_PRICED);
      const basket = quick.basket(make(others));
      assert.deepEqual(await basket.settle(), FULL_PRICED);
      basket.free();
      await others.assertRight();
    });
  }

  for (const name of FUNCTIONS) {
    /** The same answer, but reading it prices other orders. */
    const readingPrices = (answer, others) =>
      Array.isArray(answer)
        ? answer.map((record) => ({ toJSON: () => (others.price(), record) }))
        : Object.defineProperty({ ...answer }, "toJSON", { value: () => (others.price(), answer) });

    test(`where what ${name} answers prices others`, async () => {
      const others = new Others();
      const shapes = [(answer) => answer, async (answer) => answer, (answer) => turn(answer)];
      for (const shape of shapes) {
        const pricer = await createPricer({ ...answers, [name]: (asked) => shape(readingPrices(answers[name](asked), others)) });
        assert.deepEqual(await pricer.calculate(FULL), FULL_PRICED);
        const basket = pricer.basket(FULL);
        assert.deepEqual(await basket.settle(), FULL_PRICED);
        basket.free();
      }
      await others.assertRight();
    });
  }

  test("and a basket's own edits are made", async () => {
    const others = new Others();
    const pricing = (value) => ({ toJSON: () => (others.price(), value) });
    const shipping = {
      ...FULL.shipping,
      get shippingDate() {
        return void others.price();
      },
    };
    const edited = quick.basket(orderOf(1));
    edited.setShipping(shipping);
    edited.setCoupons(Object.assign([...FULL.couponCodeList], pricing(FULL.couponCodeList)));
    edited.setVouchers(Object.assign([...FULL.voucherId], pricing(FULL.voucherId)));
    edited.addProduct(pricing(first));
    edited.addProduct({
      ...second,
      get remark() {
        return void others.price();
      },
    });
    edited.removeProduct(0);
    edited.setOwner(FULL.ownerId);
    const { basketId } = orderOf(1);
    const expected = await quick.calculate({ ...FULL, basketId, orderDate: undefined });
    assert.deepEqual(await edited.settle(), expected);
    assert.equal(edited.totals.grandTotal, GRAND_TOTAL);
    edited.free();
    await others.assertRight();
  });
});

/** All objects in a value. */
function parts(value, found = new Set()) {
  if (typeof value !== "object" || value === null || found.has(value)) return found;
  found.add(value);
  for (const inner of Object.values(value)) parts(inner, found);
  return found;
}

describe("a response belongs to its caller", () => {
  test("bytes have their own buffer, which can be transferred", async () => {
    const [left, right] = [await quick.calculateJson(JSON.stringify(FULL)), await quick.calculateJson(JSON.stringify(FULL))];
    for (const { buffer, byteOffset, byteLength } of [left, right]) {
      assert.deepEqual([byteOffset, byteLength], [0, buffer.byteLength]);
    }
    assert.notEqual(left.buffer, right.buffer);
    const text = textOf(right);
    left.fill(0);
    assert.equal(textOf(right), text);
    // The module's own memory could not be transferred.
    const moved = structuredClone(right, { transfer: [right.buffer] });
    assert.deepEqual([textOf(moved), right.byteLength], [text, 0]);
    assert.deepEqual(await quick.calculate(FULL), FULL_PRICED);
  });

  for (const method of ["calculate", "explain"]) {
    test(`two results of ${method} have no object in common`, async () => {
      const [left, right] = [parts(await quick[method](FULL)), parts(await quick[method](FULL))];
      assert.ok(left.size > 5 && left.size === right.size);
      for (const others of [right, parts(FULL)])
        assert.deepEqual(
          [...left].filter((part) => others.has(part)),
          [],
        );
    });
  }

  test("and changes to it affect no other response", async () => {
    const mine = await quick.calculate(FULL);
    for (const part of parts(mine)) Array.isArray(part) ? (part.length = 0) : Object.keys(part).forEach((key) => delete part[key]);
    assert.deepEqual(await quick.calculate(FULL), FULL_PRICED);
  });

  test("it stays the same during 1,000 later calculations", async () => {
    const results = await Promise.all(METHODS.map((method) => run(quick, method, FULL)));
    const copies = structuredClone(results);
    for (let index = 0; index < 1_000; index += 1) {
      await run(quick, METHODS[index % 3], index % 2 ? FULL : orderOf(1 + (index % 300)));
    }
    assert.deepEqual(results, copies);
    assert.deepEqual(results[0], FULL_PRICED);
  });
});

describe("a coupon request", () => {
  /** D25 */
  const KEYS = [
    "couponCodeList",
    "ownerId",
    "branchId",
    "basketId",
    "orderId",
    "orderDate",
    "subTotal",
    "deliveryFee",
    "expressShippingCost",
    "totalWeight",
    "productList",
  ];
  const REQUEST = {
    couponCodeList: ["SAVE20", "OTHER"],
    ownerId: "malee",
    branchId: "1000",
    basketId: "b-1",
    orderId: "",
    orderDate: 1_700_000_000_000,
    subTotal: 131.75,
    deliveryFee: 165,
    expressShippingCost: 0,
    totalWeight: FULL_PRICED.totalWeight,
    // The answer has no `lines`, so the rows stay as they were in the request.
    productList: FULL_PRICED.productList,
  };
  /** Ways to read a request for the first time. */
  const WAYS = {
    "its productList": (request) => ({ ...REQUEST, productList: request.productList }),
    "{...request}": (request) => ({ ...request }),
    "JSON.stringify": (request) => JSON.parse(JSON.stringify(request)),
    structuredClone: (request) => structuredClone(request),
    "Object.entries": (request) => Object.fromEntries(Object.entries(request)),
    "the request itself": (request) => request,
  };
  const keeping = (requests) => ({ ...answers, validateCoupons: (request) => (requests.push(request), answers.validateCoupons(request)) });

  for (const [what, read] of Object.entries(WAYS)) {
    const assertRight = (request) => {
      const seen = read(request);
      assert.deepEqual(seen, REQUEST);
      assert.deepEqual(Object.keys(seen), KEYS);
    };

    test(`${what}, while it is asked`, async () => {
      const host = { ...answers, validateCoupons: (request) => (assertRight(request), answers.validateCoupons(request)) };
      assert.deepEqual(await (await createPricer(host)).calculate(FULL), FULL_PRICED);
    });

    test(`${what}, after its calculation and after others`, async () => {
      const requests = [];
      const pricer = await createPricer(keeping(requests));
      await pricer.calculate(FULL);
      await pricer.calculateJson(JSON.stringify(FULL));
      await pricer.explain({ ...FULL, productList: orderOf(7).productList });
      assertRight(requests[0]);
      await Promise.all(Array.from({ length: 20 }, (_, index) => quick.calculate(orderOf(1 + index))));
      assertRight(requests[1]);
      // A second reading of the same request.
      assertRight(requests[0]);
      assert.deepEqual(
        requests[2].productList.map(({ cprcode, rowTotal }) => [cprcode, rowTotal]),
        [[7, 7]],
      );
    });

    test(`${what}, after the calculation failed`, async () => {
      const requests = [];
      const host = { ...answers, validateCoupons: (request) => (requests.push(request), never()) };
      const controller = new AbortController();
      const failing = errorOf((await createPricer(host)).calculate(FULL, { signal: controller.signal }));
      controller.abort();
      await failing;
      await quick.calculate(orderOf(3));
      assertRight(requests[0]);
    });

    test(`${what}, after the module's instance was replaced`, async (context) => {
      context.mock.method(console, "error", () => {}); // The panic hook prints the planted panic.
      const requests = [];
      const pricer = await createFaultyPricer(keeping(requests));
      await pricer.calculate(FULL);
      const before = faultyInstanceId();
      await assert.rejects(pricer.calculate({ ...FULL, basketName: "panic: plan" }), { code: "INTERNAL" });
      assert.notEqual(faultyInstanceId(), before);
      await pricer.calculate(orderOf(3));
      assertRight(requests[0]);
    });
  }

  test("has the rows of its own calculation among many", async () => {
    const requests = [];
    const pricer = await createPricer({
      ...answers,
      lookupPrices: async (keys) => (await turn(), answers.lookupPrices(keys)),
      validateCoupons: async (request) => (requests.push(request), {}),
    });
    const codes = Array.from({ length: 30 }, (_, index) => index + 1);
    await Promise.all(codes.map((code) => pricer.calculate({ ...orderOf(code), couponCodeList: [`C${code}`] })));
    const seen = requests.map(({ couponCodeList, productList }) => [couponCodeList[0], productList[0].cprcode, productList[0].remark]);
    assert.deepEqual(
      seen,
      codes.map((code) => [`C${code}`, code, `${code}`]),
    );
  });
});

describe("timers and listeners are gone", () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const listeners = (signal) => getEventListeners(signal, "abort").length;
  const silent = { ...answers, lookupPrices: never };

  /** The ways in which a calculation ends while a look-up is out. */
  const ENDS = {
    "it is priced": { host: { ...answers, lookupPrices: (keys) => turn(answers.lookupPrices(keys)) } },
    "a look-up fails": {
      host: { ...answers, nationwideRate: () => turn().then(thrower(new Error("no"))), lookupVouchers: never },
      code: CODES.nationwideRate,
    },
    "a look-up fails, and another one never answers": {
      host: { ...silent, lookupPrices: () => turn().then(thrower(new Error("no"))), nationwideRate: never },
      code: CODES.lookupPrices,
    },
    "an answer is refused": { host: { ...answers, validateCoupons: () => turn("no JSON") }, code: CODES.validateCoupons },
    "it is late": { host: silent, deadlineMs: 5, code: CODES.lookupPrices },
    "its caller aborts": { host: silent, act: (controller) => controller.abort(), code: "ABORTED" },
  };
  for (const [what, { host, deadlineMs = 60_000, act, code }] of Object.entries(ENDS)) {
    for (const method of METHODS) {
      test(`when ${what}: ${method}`, async () => {
        const controller = new AbortController();
        const { signal } = controller;
        const pricer = await createPricer(host, { deadlineMs });
        const before = timers();
        const pricing = run(pricer, method, FULL, { signal });
        assert.deepEqual([timers() > before, listeners(signal)], [true, 1], "while it waits");
        act?.(controller);
        if (code) assert.equal((await errorOf(pricing)).code, code);
        else await pricing;
        assert.deepEqual([timers(), listeners(signal)], [before, 0]);
      });
    }
  }

  test("if nothing has to be awaited", async () => {
    const before = timers();
    for (const [host, order, code] of [
      [answers, FULL],
      [answers, { productList: 5 }, "VALIDATION_ERROR"],
      [{ ...answers, lookupVouchers: thrower(new Error("no")) }, FULL, CODES.lookupVouchers],
      [{}, FULL, CODES.lookupPrices],
    ]) {
      const { signal } = new AbortController();
      // Reads `ctx.signal`, so that the pricer listens to the caller.
      const listening = Object.fromEntries(
        Object.entries(host).map(([name, callback]) => [name, (asked, ctx) => (ctx.signal, callback(asked))]),
      );
      const pricing = (await createPricer(listening)).calculate(order, { signal });
      if (code) assert.equal((await errorOf(pricing)).code, code);
      else await pricing;
      assert.deepEqual([timers(), listeners(signal)], [before, 0]);
    }
    const signal = AbortSignal.abort();
    assert.equal((await errorOf(quick.calculate(FULL, { signal }))).code, "ABORTED");
    assert.deepEqual([timers(), listeners(signal)], [before, 0]);
  });

  test("when a basket is settled, has failed or is freed", async () => {
    for (const [host, act, fails] of [
      [{ ...answers, lookupPrices: (keys) => turn(answers.lookupPrices(keys)) }, () => {}, false],
      [{ ...answers, lookupPrices: () => turn().then(thrower(new Error("no"))) }, () => {}, true],
      [silent, (basket) => basket.free(), true],
    ]) {
      const before = timers();
      const basket = (await createPricer(host)).basket(FULL);
      const settling = basket.settle();
      assert.ok(timers() > before, "while it waits");
      act(basket);
      await (fails ? errorOf(settling) : settling);
      assert.equal(timers(), before);
      basket.free();
    }
  });
});

describe("the signal of the context", () => {
  /** A host that keeps the signal of its first call and answers with these look-ups. */
  const keepingSignal = (kept, lookups) => ({
    ...answers,
    ...lookups,
    lookupVouchers: (ids, { signal }) => {
      kept.signal = signal;
      signal.addEventListener("abort", () => (kept.heard = signal.reason));
      return (lookups.lookupVouchers ?? answers.lookupVouchers)(ids);
    },
  });
  const failed = new Error("closed");
  const FAILURES = {
    "a look-up throws": { lookupPrices: thrower(failed) },
    "a look-up rejects": { lookupPrices: () => turn().then(thrower(failed)), lookupVouchers: never },
    "the coupon service rejects": { validateCoupons: () => turn().then(thrower(failed)) },
    "a look-up is late": { nationwideRate: never },
    "a record is missing": { lookupPrices: (keys) => turn(keys.map(() => null)), lookupVouchers: never },
    "an answer is refused": { lookupPrices: () => turn([5, 5]) },
    "a function is missing": { validateCoupons: undefined },
  };
  for (const [what, lookups] of Object.entries(FAILURES)) {
    test(`has the caller's error as its reason when ${what}`, async () => {
      const kept = {};
      const pricer = await createPricer(keepingSignal(kept, lookups), { deadlineMs: 30 });
      for (const method of METHODS) {
        const error = await errorOf(run(pricer, method, FULL));
        assert.equal(kept.signal.reason, error);
        assert.equal(kept.heard, error);
      }
    });
  }

  for (const [what, reasons] of Object.entries({ "a reason": [{ why: "enough" }], "no reason": [] })) {
    test(`has the caller's own reason when that one aborts with ${what}`, async () => {
      for (const act of ["from inside", "later"]) {
        const controller = new AbortController();
        const kept = {};
        const abort = () => controller.abort(...reasons);
        const lookups = { lookupVouchers: () => (act === "later" ? void setImmediate(abort) : abort(), never()) };
        const pricer = await createPricer(keepingSignal(kept, lookups));
        const error = await errorOf(pricer.calculate(FULL, { signal: controller.signal }));
        assert.equal(error.code, "ABORTED");
        for (const seen of [kept.signal.reason, kept.heard, error.cause]) assert.equal(seen, controller.signal.reason);
        if (reasons.length === 0) assert.equal(error.cause.name, "AbortError");
      }
    });
  }

  test("is one for all functions, and is not aborted after success, whatever the caller does then", async () => {
    for (const shape of [(answer) => answer, (answer) => turn(answer)]) {
      const controller = new AbortController();
      const seen = [];
      const keeping = Object.fromEntries(
        FUNCTIONS.map((name) => [name, (asked, { signal }) => (seen.push(signal), shape(answers[name](asked)))]),
      );
      await (await createPricer(keeping)).calculate(FULL, { signal: controller.signal });
      controller.abort();
      await turn();
      assert.equal(seen.length, 5);
      assert.deepEqual([new Set(seen).size, seen[0].aborted, seen[0] === controller.signal], [1, false, false]);
    }
  });

  test("is already aborted if a host first reads it after the abort", async () => {
    let ctx;
    const host = { ...answers, lookupVouchers: (ids, given) => ((ctx = given), never()), lookupPrices: () => Promise.reject(failed) };
    const error = await errorOf((await createPricer(host)).calculate(FULL));
    assert.deepEqual([ctx.signal.aborted, ctx.signal.reason === error], [true, true]);

    const controller = new AbortController();
    const aborting = { ...host, lookupPrices: () => (controller.abort("enough"), never()) };
    await errorOf((await createPricer(aborting)).calculate(FULL, { signal: controller.signal }));
    assert.deepEqual([ctx.signal.aborted, ctx.signal.reason], [true, "enough"]);
  });
});

describe("retryable", () => {
  const { error: print } = console;
  before(() => (console.error = () => {})); // The panic hook prints each planted panic.
  after(() => (console.error = print));

  for (const fault of ["panic: plan", "panic: coupon request", "panic: write", "stack overflow: plan"]) {
    test(`is true where the module was damaged, for all that it ends (${fault})`, async () => {
      const pricer = await createFaultyPricer(answers);
      const waiting = await createFaultyPricer({ ...answers, lookupPrices: never });
      const others = Array.from({ length: 3 }, (_, index) => waiting.calculate(FULL, { requestId: `r${index}` }).catch((error) => error));
      const before = faultyInstanceId();
      const struck = await pricer.calculate({ ...FULL, basketName: fault }, { requestId: "struck" }).catch((error) => error);
      assert.equal(faultyInstanceId(), before + 1);
      for (const [index, error] of [struck, ...(await Promise.all(others))].entries()) {
        const { code, message, retryable, requestId } = error;
        assert.deepEqual(
          { code, message, retryable, requestId },
          { code: "INTERNAL", message: "Internal error", retryable: true, requestId: index ? `r${index - 1}` : "struck" },
        );
        assert.ok(error.cause instanceof Error);
      }
      assert.equal((await pricer.calculate(FULL)).grandTotal, GRAND_TOTAL);
    });
  }

  test("is false if a call's own option throws", async () => {
    const thrown = new Error("no signal");
    const call = {
      get signal() {
        throw thrown;
      },
    };
    const before = instanceId();
    for (const method of METHODS) {
      const { code, retryable, cause } = await errorOf(run(quick, method, FULL, call));
      assert.deepEqual([code, retryable, cause === thrown], ["INTERNAL", false, true]);
    }
    assert.equal(instanceId(), before);
  });
});

/** Makes a function throw a RangeError at its next call. `wasCalled` restores it and says whether it was called. */
function throwOnce(object, name) {
  const thrown = new RangeError("Array buffer allocation failed");
  const own = Object.getOwnPropertyDescriptor(object, name);
  let isOver = false;
  const restore = () => {
    if (isOver) return false;
    isOver = true;
    if (own) Object.defineProperty(object, name, own);
    else delete object[name];
    return true;
  };
  function value(...args) {
    // For a constructor, only a copy of bytes throws; other calls go on.
    if (object === globalThis && !ArrayBuffer.isView(args[0])) return Reflect.construct(own.value, args, own.value);
    restore();
    throw thrown;
  }
  if (object === globalThis) value.prototype = own.value.prototype;
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  return { thrown, wasCalled: () => !restore() };
}

describe("no damage", () => {
  for (const [method, where, object, name] of [
    ["calculateJson", "copied", globalThis, "Uint8Array"],
    ["calculate", "decoded", TextDecoder.prototype, "decode"],
    ["calculate", "parsed", JSON, "parse"],
    ["explain", "decoded", TextDecoder.prototype, "decode"],
    ["explain", "parsed", JSON, "parse"],
  ]) {
    test(`a RangeError while the response of ${method} is ${where}`, async () => {
      let once;
      // The last look-up: the next step is the response.
      const pricer = await createPricer({ lookupPrices: (keys) => ((once = throwOnce(object, name)), answers.lookupPrices(keys)) });
      const neighbour = (await createPricer({ lookupPrices: (keys) => turn(answers.lookupPrices(keys)) })).calculate(orderOf(5));
      const before = instanceId();
      const outcome = await run(pricer, method, orderOf(3)).then(
        () => "priced",
        (error) => error,
      );
      assert.ok(once.wasCalled(), `${name} is what it takes`);
      assert.ok(outcome instanceof PricingError, `${outcome}`);
      assert.deepEqual([outcome.code, outcome.retryable, outcome.cause], ["INTERNAL", false, once.thrown]);
      assert.equal((await neighbour).subTotal, 5);
      assert.equal(instanceId(), before);
    });
  }

  test("comes from anything that a host or an order throws", async () => {
    const recurse = () => 1 + recurse();
    for (const fail of [
      thrower(new RangeError("Invalid array length")),
      thrower(new WebAssembly.RuntimeError("unreachable")),
      thrower(Object.assign(new Error("too much recursion"), { name: "InternalError" })),
      recurse,
    ]) {
      const before = instanceId();
      const neighbour = (await createPricer({ lookupPrices: (keys) => turn(answers.lookupPrices(keys)) })).calculate(orderOf(5));
      for (const name of FUNCTIONS) {
        for (const misbehave of [
          fail,
          async () => fail(),
          () => ({
            get then() {
              return fail();
            },
          }),
          () => ({ then: fail }),
          () => ({ toJSON: fail }),
          () => [{ toJSON: fail }, { toJSON: fail }],
        ]) {
          const { code } = await errorOf((await createPricer({ ...answers, [name]: misbehave })).calculate(FULL));
          assert.equal(code, CODES[name]);
        }
        const host = Object.defineProperty({ ...answers }, name, { get: fail });
        assert.equal((await errorOf((await createPricer(host)).calculate(FULL))).code, CODES[name]);
      }
      assert.equal((await errorOf(quick.calculate({ ...FULL, toJSON: fail }))).code, "INVALID_JSON");
      assert.throws(() => quick.basket({ ...FULL, toJSON: fail }), { code: "INVALID_JSON" });
      await errorOf(
        quick.calculate(FULL, {
          get signal() {
            return fail();
          },
        }),
      );
      assert.equal((await neighbour).subTotal, 5);
      assert.equal(instanceId(), before);
    }
  });
});

describe("what a host receives", () => {
  const ASKED = {
    lookupPrices: [
      { cprcode: 1001, branchId: "1000" },
      { cprcode: 9_007_199_254_740_991, branchId: "1000" },
    ],
    nationwideRate: { shippingPostcode: "10110", nationwideMode: "DRY" },
    lookupVouchers: ["V2", "V1"],
  };

  /** The last argument and context of each function. */
  async function given(call, pricing = (pricer) => pricer.calculate(FULL, call)) {
    const seen = {};
    const host = Object.fromEntries(FUNCTIONS.map((name) => [name, (asked, ctx) => ((seen[name] = { asked, ctx }), answers[name](asked))]));
    await pricing(await createPricer(host));
    return seen;
  }

  test("keys, query and ids are plain, and can be cloned and written", async () => {
    const seen = await given();
    for (const name of FIRST_WAVE) {
      const { asked } = seen[name];
      // Strictly equal: prototypes, own enumerable properties, and nothing else.
      for (const copy of [asked, structuredClone(asked), JSON.parse(JSON.stringify(asked))]) assert.deepEqual(copy, ASKED[name]);
      const objects = parts(asked);
      for (const object of objects) {
        for (const [key, { enumerable, value }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
          if (!(Array.isArray(object) && key === "length")) assert.ok(enumerable && value !== undefined, `${name}: ${key}`);
        }
      }
      assert.equal(JSON.stringify(asked), JSON.stringify(ASKED[name]), "in this order");
    }
  });

  test("the context has three members, which can be listed, spread and written", async () => {
    const context = { tenant: "t1" };
    const seen = await given({ requestId: "r-1", context });
    for (const { ctx } of Object.values(seen)) {
      assert.deepEqual(Object.keys(ctx), ["signal", "requestId", "context"]);
      const { signal, ...rest } = { ...ctx };
      assert.ok(signal instanceof AbortSignal);
      assert.deepEqual(rest, { requestId: "r-1", context });
      assert.equal(rest.context, context);
      assert.equal(JSON.stringify(ctx), '{"signal":{},"requestId":"r-1","context":{"tenant":"t1"}}');
    }
  });

  test("without options it still has them, and a calculation has one id for all functions", async () => {
    const ways = { calculate: (pricer) => pricer.calculate(FULL), settle: (pricer) => pricer.basket(FULL).settle() };
    for (const [way, pricing] of Object.entries(ways)) {
      const contexts = Object.values(await given(undefined, pricing)).map(({ ctx }) => ({ ...ctx }));
      assert.equal(contexts.length, 4);
      for (const ctx of contexts) {
        assert.deepEqual(Object.keys(ctx), ["signal", "requestId", "context"]);
        assert.deepEqual([ctx.signal.aborted, ctx.context], [false, undefined]);
        assert.match(ctx.requestId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }
      if (way === "calculate") assert.equal(new Set(contexts.map(({ requestId }) => requestId)).size, 1);
    }
  });

  test("a context that is frozen, sealed or extended does not affect the others", async () => {
    for (const change of [Object.freeze, Object.seal, Object.preventExtensions, (ctx) => Reflect.set(ctx, "mine", 1)]) {
      const reason = new Error("enough");
      const controller = new AbortController();
      let signal;
      const host = {
        ...answers,
        lookupPrices: (keys, ctx) => (change(ctx), answers.lookupPrices(keys)),
        validateCoupons: (_, ctx) => {
          assert.equal(ctx.requestId, "r-2");
          ({ signal } = ctx);
          return never();
        },
      };
      const pricing = (await createPricer(host)).calculate(FULL, { requestId: "r-2", signal: controller.signal });
      controller.abort(reason);
      await errorOf(pricing);
      assert.equal(signal.reason, reason);
    }
  });

  /** Changes everything that can be changed. */
  function spoil(object) {
    for (const part of parts(object)) {
      if (part instanceof AbortSignal) continue;
      for (const key of Object.keys(part)) {
        if (typeof part[key] === "number") part[key] = -1;
        if (typeof part[key] === "string") part[key] = "spoilt";
      }
      Array.isArray(part) ? part.splice(0, 1) : delete part[Object.keys(part)[0]];
    }
  }

  test("a host that changes it affects neither this nor any other calculation", async () => {
    const spoiling = Object.fromEntries(
      FUNCTIONS.map((name) => [
        name,
        (asked, ctx) => {
          const answer = answers[name](asked);
          spoil(asked);
          if (name === "validateCoupons") Object.assign(asked, { productList: [], couponCodeList: null });
          if (Array.isArray(asked)) asked.length = 0;
          for (const key of Object.keys(ctx)) Reflect.deleteProperty(ctx, key);
          return answer;
        },
      ]),
    );
    const slow = Object.fromEntries(FUNCTIONS.map((name) => [name, async (asked) => (await turn(), answers[name](asked))]));
    const [pricer, neighbour] = [await createPricer(spoiling), await createPricer(slow)];
    const beside = neighbour.calculate(FULL);
    for (const method of METHODS) {
      const result = shown(await run(pricer, method, FULL));
      assert.deepEqual(result.order ?? result, FULL_PRICED);
    }
    const basket = pricer.basket(FULL);
    assert.deepEqual(await basket.settle(), FULL_PRICED);
    // The basket compares the coupon request with its next one, so it must be unchanged.
    basket.setQuantity(0, 4);
    basket.setQuantity(0, 3);
    assert.deepEqual(await basket.settle(), FULL_PRICED);
    basket.free();
    assert.deepEqual(await beside, FULL_PRICED);
    const seen = await given();
    for (const name of FIRST_WAVE) assert.deepEqual(seen[name].asked, ASKED[name]);
  });

  test("a host that keeps its keys and changes them later has no effect either", async () => {
    const kept = [];
    const keeping = Object.fromEntries(FUNCTIONS.map((name) => [name, (asked) => (kept.push(asked), turn(answers[name](asked)))]));
    const pricer = await createPricer({
      ...keeping,
      validateCoupons: (request) => (kept.forEach(spoil), answers.validateCoupons(request)),
    });
    assert.deepEqual(await pricer.calculate(FULL), FULL_PRICED);
    assert.equal(kept.length, 4);
  });
});

describe("the order of calls", () => {
  /** Logs the functions' names in the order of the calls; a rate with its mode. */
  const logging = (log, replaced = {}) =>
    Object.fromEntries(
      FUNCTIONS.map((name) => [
        name,
        (asked, ctx) => {
          log.push(asked.nationwideMode ? `${name} ${asked.nationwideMode}` : name);
          return (replaced[name] ?? answers[name])(asked, ctx);
        },
      ]),
    );
  const WAVE = ["lookupPrices", "nationwideRate MIX", "nationwideRate DRY", "lookupVouchers"];

  for (const method of METHODS) {
    test(`${method} calls the first batch before it returns: prices, rates as the modes come, vouchers`, async () => {
      const log = [];
      const replaced = Object.fromEntries(FUNCTIONS.map((name) => [name, (asked) => turn(answers[name](asked))]));
      const pricing = run(await createPricer(logging(log, replaced)), method, FULL);
      assert.deepEqual(log, WAVE);
      await pricing;
      assert.deepEqual(log, [...WAVE, "validateCoupons"]);
    });
  }

  test("a basket's settle() does too", async () => {
    const log = [];
    const basket = (await createPricer(logging(log))).basket(FULL);
    const settling = basket.settle();
    assert.deepEqual(log.slice(0, 4), WAVE);
    await settling;
    basket.free();
  });

  test("all are called before any answer is read", async () => {
    const log = [];
    const watched = (name) => (asked) =>
      new Proxy(answers[name](asked), {
        get(answer, key) {
          log.push(`reads ${name}`);
          return answer[key];
        },
      });
    const replaced = Object.fromEntries(FUNCTIONS.map((name) => [name, watched(name)]));
    assert.deepEqual(await (await createPricer(logging(log, replaced))).calculate(FULL), FULL_PRICED);
    const firstRead = log.findIndex((entry) => entry.startsWith("reads"));
    assert.deepEqual(log.slice(0, firstRead), WAVE);
    // Coupons are asked after everything else has been read.
    const last = log.indexOf("validateCoupons");
    for (const name of FIRST_WAVE) assert.ok(log.includes(`reads ${name}`) && log.lastIndexOf(`reads ${name}`) < last);
    assert.ok(log.slice(last + 1).every((entry) => entry === "reads validateCoupons"));
  });

  test("a function that throws or is missing does not prevent the other calls of its batch", async () => {
    for (const name of FIRST_WAVE) {
      const log = [];
      const thrown = new Error("no");
      const { code, cause } = await errorOf((await createPricer(logging(log, { [name]: thrower(thrown) }))).calculate(FULL));
      assert.deepEqual([code, cause === thrown, log], [CODES[name], true, WAVE]);
      log.length = 0;
      const lacking = { ...logging(log), [name]: undefined };
      const missing = await errorOf((await createPricer(lacking)).calculate(FULL));
      assert.deepEqual([missing.code, missing.retryable, missing.message], [CODES[name], false, `The host does not supply ${name}`]);
      assert.deepEqual(
        log,
        WAVE.filter((entry) => !entry.startsWith(name)),
      );
    }
    const log = [];
    const all = Object.fromEntries(FIRST_WAVE.map((name) => [name, thrower(new Error(name))]));
    // D42: the first in the fixed sequence.
    assert.equal((await errorOf((await createPricer(logging(log, all))).calculate(FULL))).message, "lookupPrices");
    assert.deepEqual(log, WAVE);
  });
});

describe("calculations nested in host functions", () => {
  const MOST = 32;

  /** A host that starts another calculation in each call, `levels` deep. Returns the outcomes, the outermost first. */
  function nesting(levels, begin) {
    const outcomes = [];
    const host = {
      ...answers,
      lookupPrices: (keys) => {
        if (outcomes.length < levels) start();
        return answers.lookupPrices(keys);
      },
    };
    const start = () => {
      const level = outcomes.length;
      outcomes.push(undefined);
      outcomes[level] = begin(level + 1).then(
        (result) => result,
        (error) => error,
      );
    };
    const run = async () => {
      start();
      return Promise.all(outcomes);
    };
    return { host, run };
  }

  const BEGINNINGS = {
    calculate: async (pricer, level) => (await pricer.calculate(orderOf(level))).subTotal,
    calculateJson: async (pricer, level) => shown(await pricer.calculateJson(JSON.stringify(orderOf(level)))).subTotal,
    explain: async (pricer, level) => (await pricer.explain(orderOf(level))).order.subTotal,
    settle: async (pricer, level) => (await pricer.basket(orderOf(level)).settle()).subTotal,
  };
  const ways = Object.values(BEGINNINGS);
  const MIXED = { ...BEGINNINGS, "each in turn": (pricer, level) => ways[level % ways.length](pricer, level) };

  for (const [what, begin] of Object.entries(MIXED)) {
    test(`${what}: ${MOST} deep are priced, one more is refused, and all others go on`, async () => {
      // Two pricers: the limit is for the stack, which all pricers share.
      const pricers = [];
      const { host, run } = nesting(MOST + 1, (level) => begin(pricers[level % 2], level));
      pricers.push(await createPricer(host), await createPricer(host));
      const before = instanceId();
      const outcomes = await run();
      assert.equal(outcomes.length, MOST + 1);
      const refused = outcomes.pop();
      assert.ok(refused instanceof PricingError);
      assert.deepEqual([refused.code, refused.retryable], ["INTERNAL", false]);
      assert.match(refused.message, new RegExp(`more than ${MOST} deep`));
      assert.deepEqual(
        outcomes,
        Array.from({ length: MOST }, (_, index) => index + 1),
      );
      assert.equal(instanceId(), before);
    });
  }

  test("are counted by depth only: many side by side are allowed, and again later", async () => {
    const inner = [];
    const pricer = await createPricer({
      lookupPrices: (keys) => {
        for (let code = 1; code <= 100; code += 1) inner.push(quick.calculate(orderOf(code)));
        return answers.lookupPrices(keys);
      },
    });
    for (let times = 0; times < 3; times += 1) assert.equal((await pricer.calculate(orderOf(7))).subTotal, 7);
    const priced = await Promise.all(inner);
    assert.deepEqual(
      priced.map(({ subTotal }) => subTotal),
      Array.from({ length: 300 }, (_, index) => 1 + (index % 100)),
    );
  });

  test("one that starts in a later turn is not nested", async () => {
    let level = 1;
    const pricer = await createPricer({
      lookupPrices: async (keys) => {
        await turn();
        const next = (level += 1);
        if (next <= 2 * MOST) assert.equal((await pricer.calculate(orderOf(next))).subTotal, next);
        return answers.lookupPrices(keys);
      },
    });
    assert.equal((await pricer.calculate(orderOf(1))).subTotal, 1);
    assert.equal(level, 2 * MOST + 1);
  });

  test("a function that throws leaves no depth behind", async () => {
    const failing = await createPricer({ lookupPrices: thrower(new Error("no")) });
    for (let times = 0; times <= 2 * MOST; times += 1) await errorOf(failing.calculate(orderOf(1)));
    assert.equal((await quick.calculate(orderOf(4))).subTotal, 4);
  });
});

describe("a thenable", () => {
  const priceOf = (price) => [{ price }];
  const later = (resolve, value) => void setImmediate(resolve, value);
  /** The subtotal of one line whose price comes from the thenable. */
  const priced = async (then, options) =>
    (await (await createPricer({ lookupPrices: () => ({ then }) }, options)).calculate(orderOf(1))).subTotal;

  test("its `then` is called once, on itself, with two functions, in a microtask", async () => {
    const log = [];
    const thenable = {
      then(...args) {
        log.push("then");
        assert.equal(this, thenable);
        assert.deepEqual(
          args.map((argument) => typeof argument),
          ["function", "function"],
        );
        args[0](priceOf(3));
      },
    };
    const pricer = await createPricer({ lookupPrices: () => (log.push("asked"), thenable) });
    setImmediate(() => log.push("turn"));
    const pricing = pricer.calculate(orderOf(1));
    log.push("returned");
    assert.equal((await pricing).subTotal, 3);
    await turn();
    assert.deepEqual(log, ["asked", "returned", "then", "turn"]);
  });

  test("a function may be one, and an answer may have a `then` that is not a function", async () => {
    const callable = Object.assign(() => {}, { then: (resolve) => resolve(priceOf(4)) });
    const host = { lookupPrices: () => callable, validateCoupons: () => ({ then: 5, discounts: [{ coupon: "A", discount: 1 }] }) };
    assert.equal((await (await createPricer(host)).calculate({ ...orderOf(1), couponCodeList: ["A"] })).grandTotal, 3);
  });

  const inner = (then) => ({ then });
  const ANSWERS = {
    "resolves at once": (resolve) => resolve(priceOf(3)),
    "resolves later": (resolve) => later(resolve, priceOf(3)),
    "resolves twice": (resolve) => (resolve(priceOf(3)), resolve(priceOf(5))),
    "resolves, and again later": (resolve) => (resolve(priceOf(3)), later(resolve, priceOf(5))),
    "resolves, then rejects": (resolve, reject) => (resolve(priceOf(3)), reject(new Error("no"))),
    "resolves, then throws": (resolve) => (resolve(priceOf(3)), thrower(new Error("no"))()),
    "resolves with a thenable": (resolve) => resolve(inner((resolve) => resolve(priceOf(3)))),
    "resolves with a promise": (resolve) => resolve(turn(priceOf(3))),
    "resolves with a thenable of a thenable, later": (resolve) =>
      later(
        resolve,
        inner((resolve) => resolve(inner((resolve) => later(resolve, priceOf(3))))),
      ),
    "resolves with a thenable, then with an answer": (resolve) => (
      resolve(inner((resolve) => later(resolve, priceOf(3)))), resolve(priceOf(5))
    ),
    "resolves with a thenable, then rejects": (resolve, reject) => (
      resolve(inner((resolve) => later(resolve, priceOf(3)))), reject(new Error("no"))
    ),
  };
  for (const [what, then] of Object.entries(ANSWERS)) {
    test(`that ${what} is an answer`, async () => assert.equal(await priced(then), 3));
  }

  const no = new Error("no");
  const FAILURES = {
    "rejects at once": (_, reject) => reject(no),
    "rejects later": (_, reject) => later(reject, no),
    "rejects, then resolves": (resolve, reject) => (reject(no), resolve(priceOf(3))),
    "rejects, and resolves later": (resolve, reject) => (reject(no), later(resolve, priceOf(3))),
    "rejects, then throws": (_, reject) => (reject(no), thrower(new Error("another"))()),
    throws: thrower(no),
    "resolves with a thenable that rejects": (resolve) => resolve(inner((_, reject) => reject(no))),
    "resolves with a promise that rejects": (resolve) => resolve(Promise.reject(no)),
    "resolves with a thenable that throws": (resolve) => resolve(inner(thrower(no))),
    "resolves with what throws when its `then` is read": (resolve) =>
      resolve({
        get then() {
          throw no;
        },
      }),
  };
  for (const [what, then] of Object.entries(FAILURES)) {
    test(`that ${what} is a look-up that failed`, async () => {
      const { code, retryable, cause } = await errorOf(priced(then));
      assert.deepEqual([code, retryable, cause === no], ["PRICE_LOOKUP_FAILED", true, true]);
    });
  }

  test("a promise that it rejects with is not awaited", async () => {
    const thrown = inner(thrower(new Error("never called")));
    assert.equal((await errorOf(priced((_, reject) => reject(thrown)))).cause, thrown);
  });

  test("that never settles, or resolves with one that never does, is too late", async () => {
    for (const then of [() => {}, (resolve) => resolve(inner(() => {})), (resolve) => resolve(never())]) {
      const { code, message } = await errorOf(priced(then, { deadlineMs: 5 }));
      assert.deepEqual([code, message], ["PRICE_LOOKUP_FAILED", "lookupPrices did not answer within 5 ms"]);
    }
  });
});

test("an error of the runtime that has a code of its own is not taken for the module's", () => {
  const error = Object.assign(new TypeError("The value is out of range"), { code: "ERR_OUT_OF_RANGE" });
  assert.throws(
    () =>
      enter(() => {
        throw error;
      }),
    (thrown) => thrown === error,
  );
});
