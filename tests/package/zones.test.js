// `deliveryZones` as a function: who asks it, who waits for it, and what follows from its failures (D41, D42).
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createPricer } from "order-cost";
import { deliveredBy, squareZones } from "../zones.js";
import { errorOf } from "./errors.js";
import { fakeTime } from "./fake-time.js";

const CODE = "DELIVERY_ZONES_FAILED";
const PRODUCTS = [{ cprcode: 1001, productName: "ข้าวหอมมะลิ", quantity: 3 }];
const PICKUP = { productList: PRODUCTS };
const delivered = (...modes) => ({ productList: PRODUCTS, shipping: deliveredBy(...modes) });
const ORDER = delivered("REGULAR");

const REFUSED = "Invalid deliveryZones: features[0].properties.deliveryFee: expected an amount of 0 or more";

const later = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

/** Time goes on only by `tick`, until the test ends. */
function stopTime(t) {
  const { tick, restore } = fakeTime();
  t.after(restore);
  return tick;
}

/** A function of the options that answers when the test says so. */
function controlled() {
  const calls = [];
  const give = () => new Promise((resolve, reject) => calls.push({ resolve, reject }));
  return { give, calls };
}

const HOST = { lookupPrices: (keys) => keys.map(() => ({ price: 10 })) };
const pricerWith = (deliveryZones, options, host = HOST) => createPricer(host, { ...options, deliveryZones });
const feeOf = async (promise) => (await promise).deliveryFee;

suite("who asks", () => {
  for (const mode of ["REGULAR", "EXPRESS"]) {
    test(`the first order with a schedule that is ${mode} asks, and nobody after it`, async () => {
      let calls = 0;
      const pricer = await pricerWith(() => ((calls += 1), squareZones(30)));
      assert.equal(calls, 0);
      for (let order = 0; order < 3; order += 1) assert.equal(await feeOf(pricer.calculate(delivered(mode))), 30);
      assert.equal(calls, 1);
    });
  }

  test("no order asks that needs no zone", async () => {
    const pricer = await pricerWith(() => assert.fail("it was asked"), {}, { ...HOST, nationwideRate: () => ({ deliveryFee: 60 }) });
    await pricer.calculate(PICKUP);
    await pricer.calculate(delivered("NATIONWIDE", "PICKUP"));
    const { shipping } = delivered("REGULAR", "EXPRESS");
    await pricer.calculate({ ...PICKUP, shipping: { ...shipping, shippingType: "PICKUP" } });
    await pricer.basket(PICKUP).settle();
  });

  test("no order asks that is refused", async () => {
    const pricer = await pricerWith(() => assert.fail("it was asked"));
    assert.equal((await errorOf(pricer.calculate({ ...ORDER, branchId: 5 }))).code, "VALIDATION_ERROR");
    assert.equal((await errorOf(pricer.calculate({ ...ORDER, productList: [] }))).code, "VALIDATION_ERROR");
    assert.equal((await errorOf(pricer.calculate(ORDER, { signal: AbortSignal.abort() }))).code, "ABORTED");
  });

  test("it is asked without arguments, together with the order's other first questions", async () => {
    const asked = [];
    const note =
      (name, answer) =>
      (...args) => (asked.push([name, args.length]), later(5, answer));
    const pricer = await pricerWith(
      note("zones", squareZones(30)),
      {},
      {
        lookupPrices: note("prices", [{ price: 10 }]),
        lookupVouchers: note("vouchers", [{ ownerId: "malee", value: 1, isActive: true, isUsed: false }]),
      },
    );
    const priced = pricer.calculate({ ...ORDER, ownerId: "malee", voucherId: ["V1"] });
    await turn();
    assert.deepEqual(asked.sort(), [
      ["prices", 2],
      ["vouchers", 2],
      ["zones", 0],
    ]);
    assert.equal(await feeOf(priced), 30);
  });

  test("calculateJson and explain ask, too", async () => {
    for (const price of [
      async (pricer) => JSON.parse(new TextDecoder().decode(await pricer.calculateJson(JSON.stringify(ORDER)))),
      async (pricer) => (await pricer.explain(ORDER)).order,
    ]) {
      for (const answer of [squareZones(30), later(1, squareZones(30))]) {
        assert.equal(await feeOf(price(await pricerWith(() => answer))), 30);
      }
    }
  });

  test("explain gives the same steps as with zones that were known", async () => {
    const steps = async (deliveryZones) => (await (await pricerWith(deliveryZones)).explain(ORDER)).steps;
    const known = await steps(squareZones(30));
    assert.ok(known.some(({ rule }) => rule === "zone"));
    assert.deepEqual(await steps(() => squareZones(30)), known);
    assert.deepEqual(await steps(async () => squareZones(30)), known);
  });
});

suite("answers", () => {
  const shapes = {
    "an object": () => squareZones(30),
    text: () => JSON.stringify(squareZones(30)),
    "text with a byte order mark": () => `\ufeff${JSON.stringify(squareZones(30))}`,
    "a promise of an object": async () => squareZones(30),
    "a promise of text": async () => JSON.stringify(squareZones(30)),
    "a thenable": () => ({ then: (resolve) => resolve(squareZones(30)) }),
  };
  for (const [shape, give] of Object.entries(shapes)) {
    test(`${shape}`, async () => assert.equal(await feeOf((await pricerWith(give)).calculate(ORDER)), 30));
  }

  test("without zones of the branch, the order fails as ever", async () => {
    const pricer = await pricerWith(() => squareZones(30, 2000));
    assert.equal((await errorOf(pricer.calculate(ORDER))).code, "BRANCH_NOT_AVAILABLE");
  });

  test("setDeliveryZones ends the need to ask", async () => {
    const pricer = await pricerWith(() => assert.fail("it was asked"));
    pricer.setDeliveryZones(squareZones(40));
    assert.equal(await feeOf(pricer.calculate(ORDER)), 40);
  });

  test("setDeliveryZones answers those who wait, and a later answer does not replace its zones", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const waiting = pricer.calculate(ORDER);
    await turn();
    pricer.setDeliveryZones(squareZones(40));
    assert.equal(await feeOf(waiting), 40);
    calls[0].resolve(squareZones(30));
    await turn();
    assert.equal(await feeOf(pricer.calculate(ORDER)), 40);
    assert.equal(calls.length, 1);
  });

  test("zones that setDeliveryZones refuses end nothing", async () => {
    const pricer = await pricerWith(() => squareZones(30));
    assert.throws(() => pricer.setDeliveryZones("{"), { code: "VALIDATION_ERROR" });
    assert.equal(await feeOf(pricer.calculate(ORDER)), 30);
  });
});

suite("several at once", () => {
  test("orders wait for the call that is out", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const orders = [ORDER, delivered("EXPRESS"), ORDER].map((order) => feeOf(pricer.calculate(order)));
    await turn();
    orders.push(feeOf(pricer.calculate(ORDER)));
    await turn();
    assert.equal(calls.length, 1);
    calls[0].resolve(squareZones(30));
    assert.deepEqual(await Promise.all(orders), [30, 30, 30, 30]);
  });

  test("a failure fails all who wait, and the next order asks again", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const orders = [ORDER, ORDER].map((order) => errorOf(pricer.calculate(order)));
    await turn();
    const cause = new Error("the store is closed");
    calls[0].reject(cause);
    for (const error of await Promise.all(orders)) assert.deepEqual([error.code, error.cause], [CODE, cause]);
    const next = pricer.calculate(ORDER);
    await turn();
    calls[1].resolve(squareZones(30));
    assert.equal(await feeOf(next), 30);
  });

  test("the first order aborts, and the second gets the answer", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const controller = new AbortController();
    const first = errorOf(pricer.calculate(ORDER, { signal: controller.signal }));
    const second = pricer.calculate(ORDER);
    await turn();
    controller.abort();
    assert.equal((await first).code, "ABORTED");
    calls[0].resolve(squareZones(30));
    assert.equal(await feeOf(second), 30);
    assert.equal(calls.length, 1);
  });

  test("the answer counts although the order that asked has failed", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, {}, {});
    assert.equal((await errorOf(pricer.calculate(ORDER))).code, "PRICE_LOOKUP_FAILED");
    calls[0].resolve(squareZones(30));
    await turn();
    await errorOf(pricer.calculate(ORDER));
    assert.equal(calls.length, 1);
  });

  test("a function that prices an order which needs zones waits for itself until the deadline", async () => {
    let calls = 0;
    let inner;
    const pricer = await pricerWith(
      () => {
        calls += 1;
        inner ??= errorOf(pricer.calculate(ORDER));
        return inner.then(() => squareZones(30));
      },
      { deadlineMs: 20 },
    );
    // The inner order's timer is the first, however late both are.
    assert.equal(await feeOf(pricer.calculate(ORDER)), 30);
    assert.equal((await inner).message, "deliveryZones did not answer within 20 ms");
    assert.equal(calls, 1);
  });

  test("a synchronous function prices an order that waits for its answer", async () => {
    let inner;
    const pricer = await pricerWith(() => {
      inner = feeOf(pricer.calculate(ORDER));
      return squareZones(30);
    });
    assert.deepEqual([await feeOf(pricer.calculate(ORDER)), await inner], [30, 30]);
  });
});

suite("failures (D41)", () => {
  const failure = new RangeError("the store is closed");
  for (const [name, give, message, cause] of [
    [
      "it throws",
      () => {
        throw failure;
      },
      "the store is closed",
      failure,
    ],
    [
      "it rejects",
      async () => {
        throw failure;
      },
      "the store is closed",
      failure,
    ],
    [
      "it throws a string",
      () => {
        throw "closed";
      },
      "closed",
      "closed",
    ],
    [
      "it throws something else",
      () => {
        throw { code: 5 };
      },
      "deliveryZones failed",
      { code: 5 },
    ],
    ["it rejects with nothing", () => Promise.reject(), "deliveryZones failed", undefined],
    [
      "its answer throws when it is read",
      () => ({
        toJSON: () => {
          throw failure;
        },
      }),
      "the store is closed",
      failure,
    ],
  ]) {
    test(name, async () => {
      let calls = 0;
      const pricer = await pricerWith(() => ((calls += 1), calls === 1 ? give() : squareZones(30)));
      const error = await errorOf(pricer.calculate(ORDER));
      assert.deepEqual([error.code, error.message, error.retryable], [CODE, message, true]);
      assert.deepEqual(error.cause, cause);
      assert.deepEqual(["subject" in error, "path" in error], [false, false]);
      assert.deepEqual(error.toJSON(), { error: message });
      assert.equal(await feeOf(pricer.calculate(ORDER)), 30);
    });
  }

  test("it answers zones that D35 refuses", async () => {
    const cycle = {};
    cycle.self = cycle;
    for (const [answer, message] of [
      [squareZones(-1), REFUSED],
      [squareZones(NaN), REFUSED.replace("of 0 or more", "as a JSON number, such as 12.5")],
      [JSON.stringify(squareZones(-1)), REFUSED],
      ["{", "Invalid deliveryZones: expected JSON"],
      [cycle, "Invalid deliveryZones: expected JSON"],
      [null, "Invalid deliveryZones: expected an object"],
      [undefined, "Invalid deliveryZones: expected an object"],
      [5, "Invalid deliveryZones: expected an object"],
    ]) {
      for (const give of [() => answer, async () => answer]) {
        let calls = 0;
        const pricer = await pricerWith(() => ((calls += 1), calls === 1 ? give() : squareZones(30)));
        const error = await errorOf(pricer.calculate(ORDER));
        assert.deepEqual([error.code, error.message, error.retryable], [CODE, message, false]);
        assert.deepEqual(["cause" in error, "subject" in error, "path" in error], [false, false, false]);
        assert.equal(await feeOf(pricer.calculate(ORDER)), 30);
      }
    }
  });

  test("it is late: each order has its own deadline, the next asks anew, and a late answer still counts", async (t) => {
    const tick = stopTime(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 40 });
    const first = errorOf(pricer.calculate(ORDER));
    tick(20);
    let isSecondOver = false;
    const second = errorOf(pricer.calculate(ORDER)).finally(() => (isSecondOver = true));
    tick(20);
    const { code, message, retryable } = await first;
    assert.deepEqual([code, message, retryable], [CODE, "deliveryZones did not answer within 40 ms", true]);
    await turn();
    assert.equal(isSecondOver, false);
    assert.equal(calls.length, 1);
    const third = pricer.calculate(ORDER);
    await turn();
    assert.equal(calls.length, 2);
    tick(20);
    assert.equal((await second).code, CODE);
    calls[0].resolve(squareZones(30)); // given up, but better than none
    assert.equal(await feeOf(third), 30);
    calls[1].resolve(squareZones(40));
    await turn();
    assert.equal(await feeOf(pricer.calculate(ORDER)), 30);
  });

  /** An order whose call is out for longer than its deadline of 10 ms. */
  async function lateOrder(pricer, tick) {
    const late = errorOf(pricer.calculate(ORDER));
    await turn();
    tick(10);
    await late;
  }

  test("a late failure or refusal of a call that was given up fails no order", async (t) => {
    const tick = stopTime(t);
    for (const end of [({ reject }) => reject(failure), ({ resolve }) => resolve("{")]) {
      const { give, calls } = controlled();
      const pricer = await pricerWith(give, { deadlineMs: 10 });
      await lateOrder(pricer, tick);
      const next = pricer.calculate(ORDER);
      await turn();
      end(calls[0]);
      await turn();
      calls[1].resolve(squareZones(30));
      assert.equal(await feeOf(next), 30);
    }
  });

  test("a late answer does not replace the zones of a newer call", async (t) => {
    const tick = stopTime(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 10 });
    await lateOrder(pricer, tick);
    const next = pricer.calculate(ORDER);
    await turn();
    calls[1].resolve(squareZones(30));
    assert.equal(await feeOf(next), 30);
    calls[0].resolve(squareZones(40));
    await turn();
    assert.equal(await feeOf(pricer.calculate(ORDER)), 30);
  });

  test("a call is given up after the deadline although the order that began it has gone", async (t) => {
    const tick = stopTime(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 10 });
    const controller = new AbortController();
    const gone = errorOf(pricer.calculate(ORDER, { signal: controller.signal }));
    await turn();
    controller.abort();
    await gone;
    tick(15);
    const next = pricer.calculate(ORDER);
    await turn();
    calls[1].resolve(squareZones(30));
    assert.equal(await feeOf(next), 30);
  });

  test("with deadlineMs 0 an order waits, and another asks anew after a while and helps it", async (t) => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 0 });
    const first = pricer.calculate(ORDER);
    await turn();
    const now = Date.now();
    t.mock.method(Date, "now", () => now + 5_001);
    const second = pricer.calculate(ORDER);
    await turn();
    assert.equal(calls.length, 2);
    calls[1].resolve(squareZones(30));
    assert.deepEqual([await feeOf(first), await feeOf(second)], [30, 30]);
  });

  test("with deadlineMs 0 an order that has joined a call asks anew by itself", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 0 });
    const orders = [1, 2, 3].map(() => pricer.calculate(ORDER));
    t.mock.timers.tick(4_999);
    assert.equal(calls.length, 1);
    t.mock.timers.tick(1);
    assert.equal(calls.length, 2);
    calls[1].resolve(squareZones(30));
    for (const order of orders) assert.equal(await feeOf(order), 30);
    t.mock.timers.tick(60_000);
    assert.equal(calls.length, 2);
  });

  test("with deadlineMs 0 an order that asks anew may be answered at once, or refused", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    for (const [answer, expected] of [
      [() => squareZones(30), 30],
      [() => "{", CODE],
      [() => assert.fail("closed"), CODE],
    ]) {
      let calls = 0;
      const pricer = await pricerWith(() => ((calls += 1), calls === 1 ? new Promise(() => {}) : answer()), { deadlineMs: 0 });
      const first = pricer.calculate(ORDER);
      first.catch(() => {});
      const second = pricer.calculate(ORDER).then(
        ({ deliveryFee }) => deliveryFee,
        ({ code }) => code,
      );
      t.mock.timers.tick(5_000);
      assert.equal(await second, expected);
    }
  });

  test("a clock that was set back makes no order wait", async (t) => {
    stopTime(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 50 });
    const first = feeOf(pricer.calculate(ORDER));
    await turn();
    const now = Date.now();
    t.mock.method(Date, "now", () => now - 3_600_000);
    const second = feeOf(pricer.calculate(ORDER));
    await turn();
    assert.equal(calls.length, 2);
    calls.forEach(({ resolve }) => resolve(squareZones(30)));
    assert.deepEqual([await first, await second], [30, 30]);
  });
});

suite("D42: prices come before the zones, vouchers after them", () => {
  const fails = (ms, name) => () => later(ms).then(() => Promise.reject(new Error(name)));
  const order = { ...ORDER, voucherId: ["V1"], ownerId: "malee" };
  const messageWith = async (deliveryZones, host) => (await errorOf((await pricerWith(deliveryZones, {}, host)).calculate(order))).message;

  test("by their place, not by their time", async () => {
    const vouchers = { lookupVouchers: fails(1, "vouchers") };
    assert.equal(await messageWith(fails(5, "zones"), { lookupPrices: fails(15, "prices"), ...vouchers }), "prices");
    assert.equal(await messageWith(fails(15, "zones"), { ...HOST, ...vouchers }), "zones");
    assert.equal(await messageWith(() => squareZones(30), { ...HOST, ...vouchers }), "vouchers");
  });

  test("by schedule among the deliveries", async () => {
    const host = { ...HOST, nationwideRate: fails(10, "rate") };
    for (const [modes, message] of [
      [["NATIONWIDE", "REGULAR"], "rate"],
      [["REGULAR", "NATIONWIDE"], "zones"],
    ]) {
      const pricer = await pricerWith(fails(5, "zones"), {}, host);
      assert.equal((await errorOf(pricer.calculate(delivered(...modes)))).message, message);
    }
  });

  test("coupons are not asked after it", async () => {
    const host = { ...HOST, validateCoupons: () => assert.fail("it was asked") };
    const pricer = await pricerWith(fails(1, "zones"), {}, host);
    await errorOf(pricer.calculate({ ...ORDER, couponCodeList: ["SAVE20"] }));
  });
});

suite("baskets", () => {
  const shown = ({ snapshot: { status, pending, problems, totals, isSettling } }) => [
    status,
    pending.join(),
    problems.map(({ code }) => code).join(),
    totals.deliveryFee,
    isSettling,
  ];

  test("a basket that needs zones is pending, asks at settle, and takes them", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const basket = pricer.basket(ORDER);
    assert.deepEqual(shown(basket), ["pending", "prices,delivery", "", 0, false]);
    assert.equal(basket.snapshot.shipping.scheduleList[0].deliveryFee, null);
    const settled = basket.settle();
    assert.deepEqual(shown(basket), ["pending", "delivery", "", 0, true]);
    calls[0].resolve(squareZones(30));
    const order = await settled;
    assert.deepEqual(order, await pricer.calculate(ORDER));
    assert.deepEqual(shown(basket), ["current", "", "", 30, false]);
    assert.equal(calls.length, 1);
  });

  test("a synchronous function, with coupons after it", async () => {
    const host = { ...HOST, validateCoupons: ({ deliveryFee }) => ({ discounts: [{ coupon: "A", discount: deliveryFee }] }) };
    const order = { ...ORDER, couponCodeList: ["A"] };
    for (const give of [() => squareZones(20), async () => squareZones(20)]) {
      const pricer = await pricerWith(give, {}, host);
      assert.deepEqual(await pricer.basket(order).settle(), await pricer.calculate(order));
    }
  });

  test("a failure is a problem until it is answered", async () => {
    let isClosed = true;
    const cause = new Error("closed");
    const pricer = await pricerWith(async () => {
      if (isClosed) throw cause;
      return squareZones(30);
    });
    const basket = pricer.basket(delivered("REGULAR", "EXPRESS"));
    const error = await errorOf(basket.settle());
    assert.deepEqual([error.code, error.message, error.retryable, error.cause], [CODE, "closed", true, cause]);
    assert.deepEqual(shown(basket), ["failed", "", CODE, 0, false]);
    assert.deepEqual([basket.error.message, basket.error.requestId], [error.message, error.requestId]);
    basket.setShipping(null);
    assert.equal(basket.status, "current");
    basket.setShipping(ORDER.shipping);
    assert.deepEqual(shown(basket), ["pending", "delivery", "", 0, false]);
    await errorOf(basket.settle());
    isClosed = false;
    await basket.settle();
    assert.deepEqual(shown(basket), ["current", "", "", 30, false]);
  });

  test("refused zones are a problem, and the next settle asks again", async () => {
    let answer = squareZones(-1);
    const pricer = await pricerWith(() => answer);
    const basket = pricer.basket(ORDER);
    const { code, message, retryable } = await errorOf(basket.settle());
    assert.deepEqual([code, message, retryable], [CODE, REFUSED, false]);
    assert.deepEqual(shown(basket), ["failed", "", CODE, 0, false]);
    answer = squareZones(30);
    await basket.settle();
    assert.deepEqual(shown(basket), ["current", "", "", 30, false]);
  });

  test("a late function is a problem, and the next settle asks anew", async (t) => {
    const tick = stopTime(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 10 });
    const basket = pricer.basket(ORDER);
    const late = errorOf(basket.settle());
    await turn();
    tick(10);
    assert.equal((await late).message, "deliveryZones did not answer within 10 ms");
    const settled = basket.settle();
    await turn();
    calls[1].resolve(squareZones(30));
    assert.equal(await feeOf(settled), 30);
  });

  test("refresh makes a failure pending, and does not ask for zones that are known", async () => {
    let calls = 0;
    const pricer = await pricerWith(() => {
      calls += 1;
      if (calls === 1) throw new Error("closed");
      return squareZones(30);
    });
    const basket = pricer.basket(ORDER);
    await errorOf(basket.settle());
    basket.refresh();
    assert.deepEqual(shown(basket), ["pending", "prices,delivery", "", 0, false]);
    await basket.settle();
    basket.refresh();
    await basket.settle();
    assert.equal(calls, 2);
    assert.deepEqual(shown(basket), ["current", "", "", 30, false]);
  });

  test("a refresh while the call is out asks once more if that fails", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const basket = pricer.basket(ORDER);
    const settled = basket.settle();
    basket.refresh();
    calls[0].reject(new Error("closed"));
    await turn();
    assert.equal(calls.length, 2);
    calls[1].resolve(squareZones(30));
    assert.equal(await feeOf(settled), 30);
  });

  test("orders and baskets of a pricer share one call, and all take its zones", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const [one, other, idle, pickup] = [ORDER, delivered("EXPRESS"), ORDER, PICKUP].map((order) => pricer.basket(order));
    const waits = [one.settle(), pricer.calculate(ORDER), other.settle()];
    await pickup.settle();
    await turn();
    assert.equal(calls.length, 1);
    calls[0].resolve(squareZones(30));
    assert.deepEqual(
      (await Promise.all(waits)).map(({ deliveryFee }) => deliveryFee),
      [30, 30, 30],
    );
    assert.deepEqual(shown(idle), ["pending", "prices", "", 30, false]);
    pickup.setShipping(ORDER.shipping);
    assert.deepEqual(shown(pickup), ["current", "", "", 30, false]);
    assert.equal(calls.length, 1);
  });

  test("a basket that no longer needs zones lets the call run on for others", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const basket = pricer.basket(ORDER);
    const settled = basket.settle();
    basket.setShipping(null);
    assert.equal(basket.snapshot.isSettling, false);
    assert.equal(await feeOf(settled), 0);
    const order = pricer.calculate(ORDER);
    basket.free();
    calls[0].resolve(squareZones(30));
    assert.equal(await feeOf(order), 30);
    assert.equal(calls.length, 1);
  });

  test("setDeliveryZones answers a basket that waits", async () => {
    const { give, calls } = controlled();
    const pricer = await pricerWith(give);
    const basket = pricer.basket(ORDER);
    const settled = basket.settle();
    pricer.setDeliveryZones(squareZones(40));
    assert.equal(await feeOf(settled), 40);
    calls[0].resolve(squareZones(30));
    await turn();
    assert.equal(basket.totals.deliveryFee, 40);
  });

  test("a basket that settles by itself asks, and tries a failure that may pass again", async (t) => {
    t.mock.method(Math, "random", () => 0);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let calls = 0;
    const pricer = await pricerWith(() => {
      calls += 1;
      if (calls === 1) throw new Error("closed");
      return squareZones(30);
    });
    const basket = pricer.basket(ORDER, { autoSettle: true });
    t.mock.timers.tick(150);
    assert.deepEqual(shown(basket), ["failed", "", CODE, 0, true]);
    t.mock.timers.tick(999);
    assert.equal(calls, 1);
    t.mock.timers.tick(1);
    assert.deepEqual(shown(basket), ["current", "", "", 30, false]);
  });

  test("a refused answer is asked again by settle(), not by an edit or a timer", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let calls = 0;
    const pricer = await pricerWith(() => ((calls += 1), calls === 1 ? "{" : squareZones(30)));
    const basket = pricer.basket(ORDER, { autoSettle: true });
    t.mock.timers.tick(60_000);
    assert.deepEqual([calls, basket.status], [1, "failed"]);
    basket.setQuantity(0, 4);
    t.mock.timers.tick(60_000);
    assert.deepEqual([calls, basket.status], [1, "failed"]);
    await basket.settle();
    assert.deepEqual([calls, basket.status, basket.totals.grandTotal], [2, "current", 70]);
  });

  test("zones that arrive without a pause let a basket that settles by itself go on at once", async (t) => {
    const tick = stopTime(t);
    const { give, calls } = controlled();
    const host = { ...HOST, validateCoupons: () => ({ discounts: [] }) };
    const pricer = await pricerWith(give, {}, host);
    const basket = pricer.basket({ ...ORDER, couponCodeList: ["A"] }, { autoSettle: { debounceMs: 1 } });
    tick(1);
    assert.equal(calls.length, 1);
    calls[0].resolve(squareZones(30));
    await turn();
    assert.equal(basket.status, "current");
    basket.free();
  });
});

suite("what only the clock tells apart", () => {
  /** Deadlines and pauses run by `t.mock.timers`; the age of a call by `at`. */
  function stopped(t) {
    const clock = { at: 1_000 };
    t.mock.method(Date, "now", () => clock.at);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    return clock;
  }

  test("a function of the same wave that sets the zones leaves nothing to ask", async () => {
    const pricer = await pricerWith(
      () => assert.fail("it was asked"),
      {},
      {
        lookupPrices: () => (pricer.setDeliveryZones(squareZones(40)), [{ price: 10 }]),
      },
    );
    assert.equal(await feeOf(pricer.calculate(ORDER)), 40);
  });

  test("a call is joined until it is as old as the deadline", async (t) => {
    for (const [deadlineMs, most] of [
      [50, 50],
      [0, 5_000],
    ]) {
      const clock = stopped(t);
      const { give, calls } = controlled();
      const pricer = await pricerWith(give, { deadlineMs });
      const orders = [feeOf(pricer.calculate(ORDER))];
      clock.at += most - 1;
      orders.push(feeOf(pricer.calculate(ORDER)));
      assert.equal(calls.length, 1);
      clock.at += 1;
      orders.push(feeOf(pricer.calculate(ORDER)));
      assert.equal(calls.length, 2);
      calls[1].resolve(squareZones(30));
      assert.deepEqual(await Promise.all(orders), [30, 30, 30]);
      t.mock.reset();
    }
  });

  test("an order that was late gives its call up, whatever the clock says", async (t) => {
    stopped(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 50 });
    const late = errorOf(pricer.calculate(ORDER));
    t.mock.timers.tick(50);
    assert.equal((await late).code, CODE);
    const next = feeOf(pricer.calculate(ORDER));
    assert.equal(calls.length, 2);
    calls[1].resolve(squareZones(30));
    assert.equal(await next, 30);
  });

  test("an order that has joined a call waits for it until its own deadline", async (t) => {
    stopped(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 60_000 });
    const orders = [1, 2].map(() => feeOf(pricer.calculate(ORDER)));
    t.mock.timers.tick(59_999);
    assert.equal(calls.length, 1);
    calls[0].resolve(squareZones(30));
    assert.deepEqual(await Promise.all(orders), [30, 30]);
  });

  test("with deadlineMs 0 the order that has asked never asks again, and one that has joined does until it asks itself", async (t) => {
    stopped(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 0 });
    const orders = [feeOf(pricer.calculate(ORDER))];
    t.mock.timers.tick(60_000);
    assert.equal(calls.length, 1);
    orders.push(feeOf(pricer.calculate(ORDER)), feeOf(pricer.calculate(ORDER)));
    for (const expected of [2, 3, 3, 3]) {
      t.mock.timers.tick(5_000);
      assert.equal(calls.length, expected);
    }
    calls[2].resolve(squareZones(30));
    assert.deepEqual(await Promise.all(orders), [30, 30, 30]);
  });

  test("with deadlineMs 0 an order that has gone asks no more", async (t) => {
    stopped(t);
    const { give, calls } = controlled();
    const pricer = await pricerWith(give, { deadlineMs: 0 });
    const first = feeOf(pricer.calculate(ORDER));
    const controller = new AbortController();
    const gone = errorOf(pricer.calculate(ORDER, { signal: controller.signal }));
    controller.abort();
    assert.equal((await gone).code, "ABORTED");
    t.mock.timers.tick(60_000);
    assert.equal(calls.length, 1);
    calls[0].resolve(squareZones(30));
    assert.equal(await first, 30);
  });

  test("with deadlineMs 0 the failure of a call that was begun anew fails only the order that began it", async (t) => {
    stopped(t);
    const { give, calls } = controlled();
    let asked = 0;
    const pricer = await pricerWith(() => ((asked += 1), asked === 1 ? give() : assert.fail("closed")), { deadlineMs: 0 });
    const first = feeOf(pricer.calculate(ORDER));
    const second = errorOf(pricer.calculate(ORDER));
    t.mock.timers.tick(5_000);
    assert.equal((await second).code, CODE);
    calls[0].resolve(squareZones(30));
    assert.equal(await first, 30);
  });
});
