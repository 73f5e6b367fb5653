// What a host may do and what a caller sees of it: D14, D41, D42 and D44 through the package.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { suite, test } from "node:test";
import { runInNewContext } from "node:vm";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { initSync } from "../../pkg/wasm/order_cost.js";
import { deliveredBy, squareZones } from "../zones.js";
import { errorOf } from "./errors.js";

const ORDER = { productList: [{ cprcode: 1001, productName: "ข้าวหอมมะลิ", quantity: 3 }] };
const NATIONWIDE = {
  ...ORDER,
  shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE", nationwideMode: "FRESH" }] },
  couponCodeList: ["SAVE20", "SAVE20"],
  voucherId: ["V1", "V1"],
  ownerId: "malee",
};
const FACTS = {
  prices: { 1001: { price: 37.25 } },
  rates: { FRESH: { deliveryFee: 60, nationwideConfig: "north-fresh" } },
  vouchers: { V1: { ownerId: "malee", value: 50, isActive: true, isUsed: false } },
  coupons: { discounts: [{ coupon: "SAVE20", discount: 20 }] },
};
const ANSWERS = {
  lookupPrices: [{ price: 37.25 }],
  nationwideRate: FACTS.rates.FRESH,
  validateCoupons: FACTS.coupons,
  lookupVouchers: [FACTS.vouchers.V1],
};
const CODES = {
  lookupPrices: "PRICE_LOOKUP_FAILED",
  nationwideRate: "NATIONWIDE_RATE_FAILED",
  validateCoupons: "COUPON_SERVICE_FAILED",
  lookupVouchers: "VOUCHER_LOOKUP_FAILED",
};

/** Prices NATIONWIDE with a host that knows FACTS, with the given replacements. */
async function priceWith(replaced, { order = NATIONWIDE, call, ...options } = {}) {
  const pricer = await createPricer({ ...hostFromFacts(FACTS), ...replaced }, options);
  return pricer.calculate(order, call);
}

const later = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

suite("answers", () => {
  for (const [name, answer] of Object.entries(ANSWERS)) {
    const shapes = {
      "a value": () => answer,
      "a promise": async () => answer,
      "a promise that takes its time": () => later(5, answer),
      "a thenable": () => ({ then: (resolve) => resolve(answer) }),
      "a function with then": () => Object.assign(() => {}, { then: (resolve) => resolve(answer) }),
      "JSON text": () => (Array.isArray(answer) ? answer.map((record) => JSON.stringify(record)) : JSON.stringify(answer)),
    };
    for (const [shape, callback] of Object.entries(shapes)) {
      test(`${name} gives ${shape}`, async () => {
        const priced = await priceWith({ [name]: callback });
        assert.equal(priced.grandTotal, 101.75);
      });
    }
  }

  test("each function is called once with the distinct keys, coupons last (D23, D24, D29)", async () => {
    const host = hostFromFacts(FACTS);
    const pricer = await createPricer(host);
    await pricer.calculate({ ...NATIONWIDE, productList: [...ORDER.productList, ...ORDER.productList] });
    const asked = host.calls.map(({ name, argument }) => [name, name === "validateCoupons" ? argument.couponCodeList : argument]);
    assert.deepEqual(asked, [
      ["lookupPrices", [{ cprcode: 1001, branchId: "1000" }]],
      ["nationwideRate", { shippingPostcode: "10110", nationwideMode: "FRESH" }],
      ["lookupVouchers", ["V1"]],
      ["validateCoupons", ["SAVE20"]],
    ]);
  });

  test("all orders share the getters of what the host gets: one of its own would keep each order in memory", async () => {
    const seen = [];
    const answering = { validateCoupons: (...given) => seen.push(...given) && ANSWERS.validateCoupons };
    const pricer = await createPricer({ ...hostFromFacts(FACTS), ...answering });
    for (let count = 0; count < 2; count += 1) await pricer.calculate(NATIONWIDE, { context: count });
    const [request, ctx, secondRequest, secondCtx] = seen;
    const getter = (object, name) => Object.getOwnPropertyDescriptor(object, name)?.get;
    assert.equal(typeof getter(request, "productList"), "function");
    assert.equal(getter(request, "productList"), getter(secondRequest, "productList"));
    for (const name of ["signal", "requestId", "context"]) {
      assert.equal(typeof getter(ctx, name), "function");
      assert.equal(getter(ctx, name), getter(secondCtx, name));
    }
    assert.deepEqual([ctx.context, { ...secondCtx }.context], [0, 1]);
  });

  test("a host may read, copy, replace or freeze the products of a coupon request", async () => {
    const requests = [];
    const validateCoupons = (request) => requests.push(request) && ANSWERS.validateCoupons;
    const pricer = await createPricer({ ...hostFromFacts(FACTS), validateCoupons });
    for (let count = 0; count < 3; count += 1) await pricer.calculate(NATIONWIDE);
    const [read, replaced, frozen] = requests;
    const [{ cprcode }] = read.productList;
    assert.equal(cprcode, 1001);
    assert.equal(read.productList, read.productList);
    assert.deepEqual({ ...frozen }, read);
    assert.deepEqual(Object.freeze(frozen).productList, read.productList);
    replaced.productList = [];
    assert.deepEqual(replaced.productList, []);
    assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(replaced))), Object.keys(read));
  });

  test("an order without delivery, coupons or vouchers needs only prices", async () => {
    const pricer = await createPricer({ lookupPrices: () => [{ price: 1 }] });
    assert.equal((await pricer.calculate(ORDER)).grandTotal, 3);
  });

  test("exact as text, the nearest double as an object", async () => {
    const pricer = await createPricer({ lookupPrices: () => ['{"price":0.1234567890123456789012345678}'] });
    const response = new TextDecoder().decode(await pricer.calculateJson(JSON.stringify(ORDER)));
    assert.match(response, /"subTotal":0\.3703703670370370367037037034,/);
    assert.equal((await pricer.calculate(ORDER)).subTotal, 0.37037036703703703);
  });

  test("1,000 calculations in flight at once all come back right", async () => {
    const pricer = await createPricer({
      lookupPrices: (keys) =>
        later(
          (keys[0].cprcode * 7) % 20,
          keys.map(({ cprcode }) => ({ price: cprcode / 4 })),
        ),
      validateCoupons: ({ subTotal }) => later((subTotal / 10) % 20, { discounts: [{ coupon: "TEN", discount: subTotal / 10 }] }),
    });
    const orders = Array.from({ length: 1000 }, (_, i) => ({
      productList: [{ cprcode: i + 1, productName: "", quantity: 40 }],
      couponCodeList: ["TEN"],
    }));
    const priced = await Promise.all(orders.map((order) => pricer.calculate(order)));
    assert.deepEqual(
      priced.map((order) => order.grandTotal),
      orders.map((_, i) => (i + 1) * 9),
    );
  });
});

suite("D41: failures", () => {
  for (const name of Object.keys(CODES)) {
    const failure = new RangeError(`${name} is closed`);
    const thrown = () => {
      throw failure;
    };
    for (const [shape, callback] of Object.entries({ throws: thrown, rejects: async () => thrown() })) {
      test(`${name} ${shape}`, async () => {
        const error = await errorOf(priceWith({ [name]: callback }));
        assert.equal(error.message, `${name} is closed`);
        assert.equal(error.code, CODES[name]);
        assert.equal(error.retryable, true);
        assert.equal(error.cause, failure);
        assert.equal("path" in error, false);
        assert.deepEqual(error.toJSON(), { error: `${name} is closed` });
      });
    }

    test(`${name} throws an error that says itself that another try is in vain`, async () => {
      const error = await errorOf(priceWith({ [name]: () => Promise.reject(Object.assign(new Error("refused"), { retryable: false })) }));
      assert.deepEqual([error.message, error.code, error.retryable, error.cause.message], ["refused", CODES[name], false, "refused"]);
      const inherited = Object.create({ retryable: false }, { message: { value: "no own property" } });
      for (const cause of [
        inherited,
        Object.assign(new Error("x"), { retryable: 0 }),
        new Proxy({}, { getOwnPropertyDescriptor: () => assert.fail() }),
      ]) {
        assert.equal((await errorOf(priceWith({ [name]: () => Promise.reject(cause) }))).retryable, true);
      }
    });

    test(`${name} throws what is no Error`, async () => {
      for (const [value, message] of [
        ["sold out", "sold out"],
        [{ message: "an object" }, `${name} failed`],
        [undefined, `${name} failed`],
        [null, `${name} failed`],
        ["", `${name} failed`],
        [42, `${name} failed`],
      ]) {
        const error = await errorOf(priceWith({ [name]: () => Promise.reject(value) }));
        assert.equal(error.message, message);
        assert.equal(error.cause, value);
      }
    });

    test(`${name} is missing`, async () => {
      const error = await errorOf(priceWith({ [name]: undefined }));
      assert.equal(error.message, `The host does not supply ${name}`);
      assert.equal(error.code, CODES[name]);
      assert.equal(error.retryable, false);
    });

    test(`${name} is late, and its answer dropped`, async () => {
      let signal;
      let answer;
      const callback = (_, ctx) => {
        signal = ctx.signal;
        return new Promise((resolve) => (answer = resolve));
      };
      const error = await errorOf(priceWith({ [name]: callback }, { deadlineMs: 15 }));
      assert.equal(error.message, `${name} did not answer within 15 ms`);
      assert.equal(error.code, CODES[name]);
      assert.equal(error.retryable, true);
      assert.equal(signal.aborted, true);
      answer(ANSWERS[name]);
      await later(0);
    });

    test(`${name} answers what it may not (D44)`, async () => {
      const objects = name === "validateCoupons" ? [] : [{}]; // To it all is optional.
      const nothing = name === "nationwideRate" ? [] : [null, undefined]; // Of a rate it means "not found" (D46).
      for (const garbage of [5, NaN, 10n, true, Symbol("s"), () => {}, "no JSON", new Date(), [NaN], [{}], [10n], ...nothing, ...objects]) {
        const error = await errorOf(priceWith({ [name]: () => garbage }));
        assert.equal(error.code, name === "lookupVouchers" && /not found/.test(error.message) ? "VOUCHER_NOT_FOUND" : CODES[name]);
        assert.match(error.message, new RegExp(`^(Invalid answer from ${name}: |Voucher V1 not found$)`), String(garbage));
        assert.equal(error.retryable, false);
      }
    });
  }

  test("D46: no rate to the postcode: another try is in vain", async () => {
    for (const answer of [null, undefined, "null", " null ", Promise.resolve(null)]) {
      const error = await errorOf(priceWith({ nationwideRate: () => answer }));
      assert.deepEqual([error.message, error.code], ["No nationwide rate for 10110/FRESH", "NATIONWIDE_RATE_NOT_FOUND"]);
      assert.deepEqual([error.retryable, error.subject, "path" in error], [false, { schedule: 0 }, false]);
    }
  });

  test("of several questions only those without an answer are late", async () => {
    const nationwideRate = ({ nationwideMode }) => (nationwideMode === "DRY" ? Promise.resolve({ deliveryFee: 1 }) : new Promise(() => {}));
    const scheduleList = ["DRY", "FRESH"].map((nationwideMode) => ({ mode: "NATIONWIDE", nationwideMode }));
    const order = { ...NATIONWIDE, shipping: { shippingType: "DELIVERY", scheduleList } };
    const { message, subject } = await errorOf(priceWith({ nationwideRate }, { order, deadlineMs: 20 }));
    assert.deepEqual([message, subject], ["nationwideRate did not answer within 20 ms", { lookup: "nationwideRate", schedule: 1 }]);
  });

  test("a deadline of 0 waits", async () => {
    const priced = await priceWith({ lookupPrices: () => later(30, ANSWERS.lookupPrices) }, { deadlineMs: 0 });
    assert.equal(priced.grandTotal, 101.75);
  });

  test("an answer that throws when it is read fails its look-up", async () => {
    const record = {
      get price() {
        throw new Error("no price for you");
      },
    };
    const error = await errorOf(priceWith({ lookupPrices: () => [record] }));
    assert.equal(error.message, "no price for you");
    assert.equal(error.code, "PRICE_LOOKUP_FAILED");
  });

  test('an answer whose "then" throws when it is read fails its look-up', async () => {
    const cause = new Error("no promise for you");
    const answer = Object.defineProperty([{ price: 1 }], "then", {
      get: () => {
        throw cause;
      },
    });
    for (const deadlineMs of [0, 300]) {
      const error = await errorOf(priceWith({ lookupPrices: () => answer }, { deadlineMs }));
      assert.deepEqual([error.message, error.code, error.cause], ["no promise for you", "PRICE_LOOKUP_FAILED", cause]);
    }
  });

  test("D41: an Error of another realm is an Error, and so is one without a stack", async () => {
    const without = Object.assign(new Error("no stack"), { stack: undefined });
    const [name, message, stack] = ["RangeError", "none", "RangeError: none"];
    for (const [cause, expected] of [
      [runInNewContext(`new RangeError("elsewhere")`), "elsewhere"],
      [without, "no stack"],
      [{ message, stack }, "lookupPrices failed"],
      [{ name, message }, "lookupPrices failed"],
      [{ name, message, stack: 5 }, "lookupPrices failed"],
    ]) {
      const error = await errorOf(priceWith({ lookupPrices: () => Promise.reject(cause) }));
      assert.deepEqual([error.message, error.cause], [expected, cause]);
    }
  });

  test("D41: of several rates, the cause is what the reported one threw", async () => {
    const shipping = { shippingType: "DELIVERY", scheduleList: [{ nationwideMode: "DRY" }, { nationwideMode: "FRESH" }] };
    const nationwideRate = ({ nationwideMode }) => {
      throw nationwideMode === "DRY" ? undefined : new Error("fresh failed");
    };
    const error = await errorOf(priceWith({ nationwideRate }, { order: { ...ORDER, shipping } }));
    assert.equal(error.message, "nationwideRate failed");
    assert.equal(error.cause, undefined);
  });

  test("a host that is not an object supplies nothing", async () => {
    for (const host of [undefined, null, 5, "host"]) {
      const error = await errorOf((await createPricer(host)).calculate(ORDER));
      assert.equal(error.message, "The host does not supply lookupPrices");
    }
  });

  test("D44: a list that changes while it is read still gives one text for each key", async () => {
    const order = { productList: [...ORDER.productList, { cprcode: 1002, productName: "", quantity: 1 }] };
    const records = () => [{ price: 1 }, { price: 2 }];
    const growing = records();
    growing[0].toJSON = () => (growing.push({ price: 3 }), { price: 1 });
    const shrinking = records();
    shrinking[0].toJSON = () => (shrinking.pop(), { price: 1 });
    const iterating = Object.assign(records(), {
      [Symbol.iterator]: function* () {
        yield '{"price":1}\0{"price":2}';
      },
    });
    const priced = (list) => priceWith({ lookupPrices: () => list }, { order });
    assert.equal((await priced(growing)).subTotal, 5);
    assert.equal((await priced(iterating)).subTotal, 5);
    assert.equal((await errorOf(priced(shrinking))).message, "No price for 1002/1000");
    assert.equal(
      (await errorOf(priced(['{"price":1}\0{"price":2}', '{"price":2}']))).message,
      "Invalid answer from lookupPrices: 1001/1000: expected JSON",
    );
  });

  test("D44: an unwritable number in an object does not make a store's invalid text valid", async () => {
    const order = { productList: [...ORDER.productList, { cprcode: 1002, productName: "", quantity: 1 }] };
    const lookupPrices = () => [{ price: 1, foo: NaN }, '{"price":2,"x":NaN}'];
    const error = await errorOf(priceWith({ lookupPrices }, { order }));
    assert.equal(error.message, "Invalid answer from lookupPrices: 1002/1000: expected JSON");
  });

  test("a callback that throws leaves nothing behind", async () => {
    const pricer = await createPricer({
      lookupPrices: () => {
        throw new Error("closed");
      },
    });
    const { __wbindgen_externrefs: table } = initSync({ module: undefined });
    for (let i = 0; i < 200; i += 1) await errorOf(pricer.calculate(ORDER));
    const before = table.length;
    assert.ok(before > 0);
    for (let i = 0; i < 5_000; i += 1) await errorOf(pricer.calculate(ORDER));
    assert.equal(table.length, before);
  });

  test("D44: amounts that JSON cannot write are refused", async () => {
    for (const price of [NaN, Infinity, -Infinity, 10n]) {
      const error = await errorOf(priceWith({ lookupPrices: () => [{ price, remark: null }] }));
      assert.equal(error.message, "Invalid answer from lookupPrices: 1001/1000: price: expected an amount as a JSON number, such as 12.5");
    }
  });

  test("D42: of several failures, the first in the fixed sequence counts, not the first in time", async () => {
    const fails = (name, ms) => () => later(ms).then(() => Promise.reject(new Error(name)));
    const error = await errorOf(
      priceWith({ lookupPrices: fails("prices", 20), nationwideRate: fails("rate", 10), lookupVouchers: fails("vouchers", 1) }),
    );
    assert.equal(error.message, "prices");
  });

  test("D42: a failure is reported as soon as nothing can precede it; the rest is aborted, and coupons are not asked", async () => {
    let aborted = false;
    let asked = false;
    const error = await errorOf(
      priceWith({
        lookupPrices: () => Promise.reject(new Error("prices")),
        lookupVouchers: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              aborted = true;
              reject(signal.reason);
            });
          }),
        validateCoupons: () => (asked = true),
      }),
    );
    assert.equal(error.message, "prices");
    assert.deepEqual({ aborted, asked }, { aborted: true, asked: false });
  });

  test("an answer after its deadline, or twice, changes nothing", async () => {
    let settle;
    const host = { lookupPrices: () => ({ then: (resolve) => (settle = resolve) }) };
    const pricer = await createPricer(host, { deadlineMs: 10 });
    await errorOf(pricer.calculate(ORDER));
    settle([{ price: 1 }]);
    settle([{ price: 2 }]);
    host.lookupPrices = () => [{ price: 3 }];
    assert.equal((await pricer.calculate(ORDER)).subTotal, 9);
  });
});

suite("the caller", () => {
  test("an answer that comes after the end is not read", async () => {
    let answer;
    let isRead = false;
    const caller = new AbortController();
    const pricer = await createPricer({ lookupPrices: () => new Promise((resolve) => (answer = resolve)) });
    const outcome = errorOf(pricer.calculate(ORDER, { signal: caller.signal }));
    caller.abort();
    await outcome;
    answer([{ toJSON: () => (isRead = true) }]);
    await later(0);
    assert.equal(isRead, false);
  });

  test("D41: an abort rejects at once, whatever is pending", async () => {
    for (const name of Object.keys(CODES)) {
      const controller = new AbortController();
      let signal;
      const never = (_, ctx) => {
        signal = ctx.signal;
        setTimeout(() => controller.abort("enough"), 5);
        return new Promise(() => {});
      };
      const error = await errorOf(priceWith({ [name]: never }, { call: { signal: controller.signal } }));
      assert.equal(error.message, "The calculation was aborted");
      assert.equal(error.code, "ABORTED");
      assert.equal(error.retryable, false);
      assert.equal(error.cause, "enough");
      assert.equal(signal.aborted, true);
    }
  });

  test("D41: an abort from inside a callback rejects at once too", async () => {
    for (const name of Object.keys(CODES)) {
      for (const deadlineMs of [0, 300]) {
        const controller = new AbortController();
        const callback = () => {
          controller.abort("from inside");
          return new Promise(() => {});
        };
        const error = await errorOf(priceWith({ [name]: callback }, { deadlineMs, call: { signal: controller.signal } }));
        assert.equal(error.code, "ABORTED", name);
        assert.equal(error.cause, "from inside");
      }
    }
  });

  test("an abort before the start makes no call; one between the waves asks no coupons", async () => {
    const host = hostFromFacts(FACTS);
    const pricer = await createPricer(host);
    const error = await errorOf(pricer.calculate(NATIONWIDE, { signal: AbortSignal.abort() }));
    assert.equal(error.code, "ABORTED");
    assert.equal(host.calls.length, 0);

    const controller = new AbortController();
    const lookupVouchers = () => {
      controller.abort();
      return ANSWERS.lookupVouchers;
    };
    let asked = false;
    const between = priceWith({ lookupVouchers, validateCoupons: () => (asked = true) }, { call: { signal: controller.signal } });
    assert.equal((await errorOf(between)).code, "ABORTED");
    assert.equal(asked, false);
  });

  test("D41: an abort at any moment after the last price asks no coupons", async () => {
    for (let turns = 0; turns < 16; turns += 1) {
      const caller = new AbortController();
      let isAskedInVain = false;
      const abort = (left) => (left === 0 ? caller.abort() : queueMicrotask(() => abort(left - 1)));
      const lookupPrices = () => ({ then: (resolve) => (resolve(ANSWERS.lookupPrices), abort(turns)) });
      const validateCoupons = () => {
        isAskedInVain = caller.signal.aborted;
        return new Promise(() => {});
      };
      const error = await errorOf(priceWith({ lookupPrices, validateCoupons }, { call: { signal: caller.signal } }));
      assert.deepEqual([error.code, isAskedInVain], ["ABORTED", false], `${turns} turns`);
    }
  });

  test("the context reaches the callbacks, and the request id the error", async () => {
    const context = { tenant: "t1" };
    let seen;
    const lookupPrices = (_, ctx) => {
      seen = ctx;
      throw new Error("closed");
    };
    const error = await errorOf(priceWith({ lookupPrices }, { call: { context, requestId: "req-7" } }));
    assert.equal(seen.context, context);
    assert.equal(seen.requestId, "req-7");
    assert.equal(error.requestId, "req-7");
  });

  test("a host sees the three members of the contract, and may copy them", async () => {
    const seen = [];
    const lookupPrices = (_, ctx) => (seen.push(ctx), ANSWERS.lookupPrices);
    await priceWith({ lookupPrices }, { call: { context: 7, requestId: "r" } });
    const [{ signal, ...rest }] = seen.map((ctx) => ({ ...ctx }));
    assert.deepEqual(rest, { requestId: "r", context: 7 });
    assert.ok(signal instanceof AbortSignal);
  });

  test("D25: a date beyond the doubles reaches the coupon service as the nearest one, never as null", async () => {
    for (const [orderDate, expected] of [
      ["1e400", Number.MAX_VALUE],
      ["-1e400", -Number.MAX_VALUE],
      ["1e308", 1e308],
      ["-0.0", -0],
    ]) {
      let asked;
      const host = { ...hostFromFacts(FACTS), validateCoupons: (request) => ((asked = request), {}) };
      const pricer = await createPricer(host);
      const response = await pricer.calculateJson(
        JSON.stringify({ ...ORDER, couponCodeList: ["A"], orderDate: 0 }).replace('"orderDate":0', `"orderDate":${orderDate}`),
      );
      assert.equal(asked.orderDate, expected);
      assert.equal(JSON.parse(JSON.stringify(asked)).orderDate, Number(JSON.stringify(expected)));
      assert.match(new TextDecoder().decode(response), new RegExp(`"orderDate":${orderDate.replace(".", "\\.")},`));
    }
  });

  test("one signal serves any number of calculations, of many pricers, with one listener", async (context) => {
    const warnings = [];
    const onWarning = (warning) => warnings.push(warning.name);
    process.on("warning", onWarning);
    context.after(() => process.off("warning", onWarning));
    const controller = new AbortController();
    const never = { ...hostFromFacts(FACTS), lookupPrices: (_, ctx) => new Promise(() => void ctx.signal) };
    const pricers = await Promise.all(Array.from({ length: 20 }, () => createPricer(never)));
    const calculations = pricers.flatMap((pricer) =>
      Array.from({ length: 10 }, () => pricer.calculate(ORDER, { signal: controller.signal })),
    );
    const settled = Promise.allSettled(calculations);
    await new Promise(setImmediate);
    assert.equal(getEventListeners(controller.signal, "abort").length, 1);
    controller.abort("enough");
    for (const { reason } of await settled) assert.deepEqual([reason.code, reason.cause], ["ABORTED", "enough"]);
    assert.deepEqual([warnings, getEventListeners(controller.signal, "abort").length], [[], 0]);
  });

  test("a signal keeps no listener of finished calculations", async () => {
    const { signal } = new AbortController();
    const later = { ...hostFromFacts(FACTS), lookupPrices: async (keys) => keys.map(() => ({ price: 1 })) };
    const pricer = await createPricer(later);
    const first = pricer.calculate(ORDER, { signal });
    const second = pricer.calculate({ ...ORDER, productList: [] }, { signal });
    await Promise.allSettled([first, second]);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("any fault of a call rejects with a PricingError", async () => {
    const pricer = await createPricer(hostFromFacts(FACTS), null);
    assert.equal((await errorOf(pricer.calculate(ORDER, { signal: {} }))).message, "Invalid options: signal: expected an AbortSignal");
    const detached = new Uint8Array(8);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    assert.ok((await errorOf(pricer.calculateJson(detached))).requestId);
    const cyclic = { type: "FeatureCollection" };
    cyclic.features = [cyclic];
    assert.throws(
      () => pricer.setDeliveryZones(cyclic),
      (error) => error.code === "VALIDATION_ERROR" && error.cause instanceof TypeError,
    );
  });

  test("a request id defaults to a new UUID", async () => {
    const ids = [];
    const lookupPrices = (_, ctx) => {
      ids.push(ctx.requestId);
      throw new Error("closed");
    };
    const errors = [await errorOf(priceWith({ lookupPrices })), await errorOf(priceWith({ lookupPrices }))];
    assert.match(ids[0], /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.notEqual(ids[0], ids[1]);
    assert.deepEqual(
      errors.map((error) => error.requestId),
      ids,
    );
  });

  test("invalid options are refused with their path", async () => {
    const error = await errorOf(createPricer({}, { policy: { rowTotal: "listed" } }));
    assert.equal(error.code, "VALIDATION_ERROR");
    assert.equal(error.path, "policy.rowTotal");
  });

  test("D35: invalid zones name the path, and the old ones stay", async () => {
    const order = { ...ORDER, shipping: deliveredBy("REGULAR") };
    const pricer = await createPricer(hostFromFacts(FACTS), { deliveryZones: squareZones(40) });
    for (const [fee, expected] of [
      [-1, "of 0 or more"],
      [1e30, "of at most 28 digits and 28 decimal places"],
      ...[NaN, Infinity, 10n, "40"].map((fee) => [fee, "as a JSON number, such as 12.5"]),
    ]) {
      assert.throws(() => pricer.setDeliveryZones(squareZones(fee)), {
        name: "PricingError",
        code: "VALIDATION_ERROR",
        path: "features[0].properties.deliveryFee",
        message: `Invalid deliveryZones: features[0].properties.deliveryFee: expected an amount ${expected}`,
      });
    }
    assert.equal((await pricer.calculate(order)).deliveryFee, 40);
    pricer.setDeliveryZones(JSON.stringify(squareZones(55.5)));
    assert.equal((await pricer.calculate(order)).deliveryFee, 55.5);
    const refused = await errorOf(createPricer({}, { deliveryZones: "{" }));
    assert.equal(refused.message, "Invalid deliveryZones: expected JSON");
  });
});
