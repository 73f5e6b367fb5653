import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts, recordingHost, unreliable } from "order-cost/testing";
import { fakeTime } from "./fake-time.js";

test("a price is found by product and branch, then by product", () => {
  const host = hostFromFacts({ prices: { "1/1000": { price: 1 }, 1: { price: 2 } } });
  const keys = [
    { cprcode: 1, branchId: "1000" },
    { cprcode: 1, branchId: "1001" },
    { cprcode: 2, branchId: "1000" },
  ];
  assert.deepEqual(host.lookupPrices(keys), [{ price: 1 }, { price: 2 }, undefined]);
});

test("facts that would never be found are refused", () => {
  const unknown = "unknown; facts are prices, rates, at, vouchers, coupons";
  const product = "expected a product such as 1001, or one of a branch such as 1001/1000";
  const mode = "expected one of DRY, FRESH, MIX, or one of a postcode such as 10110/DRY";
  for (const [facts, fault] of [
    [[], "expected an object"],
    [undefined, "expected an object"],
    [{ price: {} }, `price: ${unknown}`],
    [{ prices: [] }, "prices: expected an object"],
    ...[" 1/1000", "1.0/1000", "1e3", "01", "-0", "a/1000"].map((key) => [{ prices: { [key]: null } }, `prices["${key}"]: ${product}`]),
    [{ rates: { "10110/dry": null } }, `rates["10110/dry"]: ${mode}`],
  ]) {
    assert.throws(() => hostFromFacts(facts), { message: `Invalid facts: ${fault}` });
  }
  const host = hostFromFacts({ prices: { "-1/a/b": { price: 1 } }, rates: undefined, at: {}, vouchers: { " ": null }, deliveryZones: {} });
  assert.deepEqual(host.lookupPrices([{ cprcode: -1, branchId: "a/b" }]), [{ price: 1 }]);
});

test("names of Object's own properties are not found", () => {
  const host = hostFromFacts({ prices: {}, vouchers: {} });
  assert.deepEqual(host.lookupVouchers(["__proto__", "constructor", "toString"]), [undefined, undefined, undefined]);
});

test("an unknown rate throws", () => {
  const host = hostFromFacts({ prices: {}, rates: { DRY: { deliveryFee: 1 } } });
  assert.deepEqual(host.nationwideRate({ nationwideMode: "DRY" }), { deliveryFee: 1 });
  assert.throws(() => host.nationwideRate({ nationwideMode: "MIX" }), { message: "No rate for MIX" });
});

test("a rate is found by postcode and mode, then by mode; null says that there is no rate", () => {
  const rates = { "10110/DRY": '{"deliveryFee":2}', DRY: { deliveryFee: 1 }, MIX: null };
  const host = hostFromFacts({ rates });
  assert.equal(host.nationwideRate({ shippingPostcode: "10110", nationwideMode: "DRY" }), rates["10110/DRY"]);
  assert.equal(host.nationwideRate({ shippingPostcode: "10120", nationwideMode: "DRY" }), rates.DRY);
  assert.equal(host.nationwideRate({ shippingPostcode: "10110", nationwideMode: "MIX" }), null);
  assert.throws(() => host.nationwideRate({ shippingPostcode: "10110", nationwideMode: "FRESH" }), { message: "No rate for FRESH" });
});

test("of a list of coupon answers the first counts whose request is equal, or that has none", () => {
  const coupons = [{ request: { couponCodeList: ["A"], subTotal: 10 }, answer: "first" }, { answer: "any" }];
  const ask = (list, request) => hostFromFacts({ coupons: list }).validateCoupons(request);
  assert.equal(ask(coupons, { subTotal: 10, couponCodeList: ["A"] }), "first");
  assert.equal(ask(coupons, { subTotal: 11, couponCodeList: ["A"] }), "any");
  assert.throws(() => ask(coupons.slice(0, 1), { subTotal: 11, couponCodeList: ["A"] }), { message: "No coupon answer for this request" });
});

test("no facts at all: nothing is found", () => {
  assert.deepEqual(hostFromFacts({}).lookupPrices([{ cprcode: 1, branchId: "1000" }]), [undefined]);
});

test("coupons are an answer, a function that makes one, or all failed", () => {
  const request = { couponCodeList: ["A", "B"], subTotal: 10 };
  const answer = { discounts: [{ coupon: "A", discount: 1 }] };
  assert.equal(hostFromFacts({ prices: {}, coupons: answer }).validateCoupons(request), answer);
  const made = hostFromFacts({ prices: {}, coupons: ({ subTotal }) => ({ discounts: [{ coupon: "A", discount: subTotal }] }) });
  assert.equal(made.validateCoupons(request).discounts[0].discount, 10);
  assert.deepEqual(hostFromFacts({ prices: {} }).validateCoupons(request), { discounts: [], failedCoupons: ["A", "B"] });
});

test("calls are recorded in sequence", () => {
  const host = hostFromFacts({ prices: {} });
  host.lookupPrices([{ cprcode: 1, branchId: "1000" }]);
  host.lookupVouchers(["V"]);
  assert.deepEqual(host.calls, [
    { name: "lookupPrices", argument: [{ cprcode: 1, branchId: "1000" }] },
    { name: "lookupVouchers", argument: ["V"] },
  ]);
});

const ORDER = {
  ownerId: "malee",
  productList: [
    { cprcode: 1, productName: "a", quantity: 2 },
    { cprcode: 2, productName: "b", quantity: 1 },
  ],
  voucherId: ["__proto__", "V"],
  couponCodeList: ["A"],
  shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE" }] },
};

/** Answers of every form: text with many digits, objects, promises, null. */
const HOST = {
  lookupPrices: (keys) => keys.map(({ cprcode }) => (cprcode === 1 ? '{"price": 0.1000000000000000000000001}' : { price: 5 })),
  nationwideRate: async () => ({ deliveryFee: 80 }),
  validateCoupons: async ({ subTotal }) => ({ discounts: [{ coupon: "A", discount: subTotal > 5 ? 1 : 0 }] }),
  lookupVouchers: (ids) => ids.map((id) => ({ voucherId: id, ownerId: "malee", value: 1, isActive: true, isUsed: false })),
};

test("recorded facts, sent as JSON, price the order again to the last digit", async () => {
  const host = recordingHost(HOST);
  const expected = await (await createPricer(host)).calculateJson(JSON.stringify(ORDER));
  assert.match(`${Buffer.from(expected)}`, /"grandTotal":82\.2000000000000000000000002,/);
  const facts = JSON.parse(JSON.stringify(host.facts));
  assert.equal(facts.prices["1/1000"], '{"price": 0.1000000000000000000000001}');
  assert.equal(facts.prices["2/1000"], '{"price":5}');
  assert.deepEqual(Object.keys(facts.rates), ["10110/DRY"]);
  assert.equal(facts.coupons[0].request.subTotal, 5.2);
  const again = await createPricer(hostFromFacts(facts));
  assert.deepEqual(await again.calculateJson(JSON.stringify(ORDER)), expected);
});

test("a recording: not found is null, the last answer counts, a failure and a missing function leave nothing", async () => {
  let price = 1;
  const host = recordingHost({
    lookupPrices: (keys) => keys.map(({ cprcode }) => (cprcode === 9 ? undefined : { price: price++ })),
    nationwideRate: () => {
      throw new Error("down");
    },
    validateCoupons: () => Promise.reject(new Error("down")),
  });
  host.lookupPrices([
    { cprcode: 9, branchId: "1" },
    { cprcode: 1, branchId: "1" },
  ]);
  host.lookupPrices([{ cprcode: 1, branchId: "1" }]);
  assert.throws(() => host.nationwideRate({ shippingPostcode: "1", nationwideMode: "DRY" }), { message: "down" });
  await assert.rejects(async () => host.validateCoupons({}), { message: "down" });
  assert.deepEqual(JSON.parse(JSON.stringify(host.facts)), { prices: { "9/1": null, "1/1": '{"price":2}' }, rates: {}, coupons: [] });
  assert.equal(host.lookupVouchers, undefined);
});

test("what is recorded does not change with the host's object", () => {
  const record = { price: 1 };
  const host = recordingHost({ lookupPrices: () => [record] });
  assert.equal(host.lookupPrices([{ cprcode: 1, branchId: "1" }])[0], record);
  record.price = 2;
  assert.equal(host.facts.prices["1/1"], '{"price":1}');
});

describe("an unreliable host", () => {
  const PRICE = '{"price":37.25}';
  const shop = { lookupPrices: (keys) => keys.map(() => PRICE), nationwideRate: () => ({ deliveryFee: 60 }) };

  /** What each of `calls` calls of a function did. */
  async function courseOf(host, name = "lookupPrices", calls = 40) {
    const course = [];
    for (let call = 0; call < calls; call += 1) {
      course.push(await host[name]([1]).then(JSON.stringify, ({ message }) => message));
    }
    return course;
  }

  test("has the host's functions, and no others", () => {
    const host = unreliable({ ...shop, close() {} }, {});
    assert.deepEqual(Object.keys(host), ["lookupPrices", "nationwideRate"]);
  });

  test("a share of the calls fails, with a message that says so; the others are the host's own answers", async () => {
    const course = await courseOf(unreliable(shop, { failures: 0.25, seed: 7 }), "lookupPrices", 400);
    const failed = course.filter((outcome) => outcome !== JSON.stringify([PRICE]));
    assert.ok(failed.length > 70 && failed.length < 130, `${failed.length}`);
    const first = course.indexOf(failed[0]);
    assert.equal(failed[0], `lookupPrices failed on purpose (call ${first + 1}, seed 7)`);
  });

  test("none and all", async () => {
    assert.equal(new Set(await courseOf(unreliable(shop, {}))).size, 1);
    assert.ok((await courseOf(unreliable(shop, { failures: 1 }))).every((outcome) => outcome.includes("failed on purpose")));
  });

  test("the same seed gives the same course, whatever else is called; another seed another one", async () => {
    const course = await courseOf(unreliable(shop, { failures: 0.5, seed: 3 }));
    const alone = unreliable({ lookupPrices: shop.lookupPrices }, { failures: 0.5, seed: 3 });
    const busy = unreliable(shop, { failures: 0.5, seed: 3 });
    await courseOf(busy, "nationwideRate", 5);
    assert.deepEqual([await courseOf(alone), await courseOf(busy)], [course, course]);
    const successes = (outcomes) => outcomes.map((outcome) => outcome.startsWith("["));
    assert.notDeepEqual(successes(await courseOf(unreliable(shop, { failures: 0.5, seed: 4 }))), successes(course));
  });

  test("the functions do not fail together", async () => {
    const host = unreliable(shop, { failures: 0.5 });
    const [prices, rates] = [await courseOf(host), await courseOf(host, "nationwideRate")];
    const failed = (course) => course.map((outcome) => outcome.includes("failed"));
    assert.notDeepEqual(failed(prices), failed(rates));
  });

  /** The milliseconds after which each of `calls` calls is answered. */
  function delaysOf(options, calls = 50) {
    const time = fakeTime();
    try {
      const host = unreliable(shop, options);
      for (let call = 0; call < calls; call += 1) void host.lookupPrices([1]).catch(() => {});
      return time.waiting().map(({ at }) => at);
    } finally {
      time.restore();
    }
  }

  test("a delay is a number, or between two", () => {
    assert.deepEqual([...new Set(delaysOf({ delayMs: 30 }))], [30]);
    const delays = delaysOf({ delayMs: [100, 200] });
    assert.ok(delays.every((ms) => ms >= 100 && ms <= 200) && new Set(delays).size > 40, `${delays}`);
    assert.ok(Math.min(...delays) < 115 && Math.max(...delays) > 185, `${delays}`);
    assert.deepEqual(delaysOf({ delayMs: [100, 200], failures: 1 }), delays, "a failure takes its time, too");
  });

  test("an aborted call ends at once, with the signal's reason, and leaves no timer", async () => {
    const time = fakeTime();
    try {
      const host = unreliable(shop, { delayMs: 60_000 });
      const controller = new AbortController();
      const waiting = host.lookupPrices([1], { signal: controller.signal });
      controller.abort(new Error("closed"));
      await assert.rejects(waiting, { message: "closed" });
      await assert.rejects(host.lookupPrices([1], { signal: controller.signal }), { message: "closed" });
      assert.deepEqual(time.waiting(), []);
    } finally {
      time.restore();
    }
  });

  test("a signal of many calls has no listener afterwards", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counting = {
      aborted: false,
      addEventListener: (...argument) => (signal.addEventListener(...argument), (listeners += 1)),
      removeEventListener: (...argument) => (signal.removeEventListener(...argument), (listeners -= 1)),
    };
    const host = unreliable(shop, {});
    await Promise.all([1, 2, 3].map(() => host.lookupPrices([1], { signal: counting })));
    assert.equal(listeners, 0);
  });

  test("the host gets the argument, the context and itself", async () => {
    const host = {
      seen: [],
      lookupVouchers(...argument) {
        this.seen.push(argument);
        throw new Error("down");
      },
    };
    const ctx = { requestId: "r1" };
    await assert.rejects(unreliable(host, { delayMs: 1 }).lookupVouchers(["V"], ctx), { message: "down" });
    assert.deepEqual(host.seen, [[["V"], ctx]]);
  });

  test("a pricer says what failed, and that another try may help", async () => {
    const pricer = await createPricer(unreliable(hostFromFacts({ prices: { 1: { price: 5 } } }), { failures: 1, seed: 2 }));
    await assert.rejects(pricer.calculate({ productList: [{ cprcode: 1, productName: "a", quantity: 1 }] }), {
      code: "PRICE_LOOKUP_FAILED",
      message: "lookupPrices failed on purpose (call 1, seed 2)",
      retryable: true,
    });
  });

  test("a basket settles in the end", async () => {
    const host = unreliable(HOST, { delayMs: [0, 3], failures: 0.5, seed: 5 });
    const basket = (await createPricer(host)).basket(ORDER);
    let tries = 0;
    for (; basket.status !== "current" && tries < 50; tries += 1) await basket.settle().catch(() => {});
    assert.equal(basket.status, "current");
    assert.ok(tries > 1);
    assert.deepEqual(await basket.settle(), await (await createPricer(HOST)).calculate(ORDER));
  });

  test("wrong options are refused", () => {
    const refused = {
      "delayMs: expected milliseconds, or [least, most]": [
        ...[-1, NaN, Infinity, 2 ** 31, "50", null].map((delayMs) => ({ delayMs })),
        ...[[], [1], [2, 1], [1, 2, 3], [0, Infinity], ["1", "2"]].map((delayMs) => ({ delayMs })),
      ],
      "failures: expected a number from 0 to 1": [-0.1, 1.1, NaN, "0.5", null].map((failures) => ({ failures })),
      "seed: expected an integer": [0.5, NaN, "7", null].map((seed) => ({ seed })),
      "failure: unknown, expected delayMs, failures or seed": [{ failure: 0.5 }],
    };
    for (const [fault, wrong] of Object.entries(refused)) {
      for (const options of wrong) assert.throws(() => unreliable(shop, options), { message: `Invalid options: ${fault}` });
    }
  });
});
