// Every host function misbehaves in every possible way. The calculation ends in time with an error that says so, a
// neighbour's bytes stay the same, no rejection is unhandled, and the next call succeeds.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createPricer, PricingError } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { allAtNight, someOf } from "../effort.js";
import { fakeTime } from "./fake-time.js";

const DEADLINE_MS = 25;
/** More turns of the event loop than any of these hosts takes. */
const TURNS = 20;

const ORDER = {
  productList: [
    { cprcode: 1001, productName: "ข้าวหอมมะลิ", quantity: 3 },
    { cprcode: 1002, productName: "น้ำปลา", quantity: 1 },
  ],
  shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE", nationwideMode: "FRESH" }] },
  couponCodeList: ["SAVE20"],
  voucherId: ["V1", "V2"],
  ownerId: "malee",
};
const FACTS = {
  prices: { 1001: { price: 37.25 }, 1002: { price: 20 } },
  rates: { FRESH: { deliveryFee: 60, nationwideConfig: "north-fresh" } },
  vouchers: {
    V1: { ownerId: "malee", value: 50, isActive: true, isUsed: false },
    V2: { ownerId: "malee", value: 1, isActive: true, isUsed: true },
  },
  coupons: { discounts: [{ coupon: "SAVE20", discount: 20 }] },
};
const ANSWERS = {
  lookupPrices: [FACTS.prices[1001], FACTS.prices[1002]],
  nationwideRate: FACTS.rates.FRESH,
  validateCoupons: FACTS.coupons,
  lookupVouchers: [FACTS.vouchers.V1, FACTS.vouchers.V2],
};
const CODES = {
  lookupPrices: ["PRICE_LOOKUP_FAILED", "PRODUCT_PRICE_NOT_FOUND"],
  nationwideRate: ["NATIONWIDE_RATE_FAILED", "NATIONWIDE_RATE_NOT_FOUND"],
  validateCoupons: ["COUPON_SERVICE_FAILED"],
  lookupVouchers: ["VOUCHER_LOOKUP_FAILED", "VOUCHER_NOT_FOUND"],
};
const FUNCTIONS = Object.keys(CODES);
const GRAND_TOTAL = 3 * 37.25 + 20 + 60 - 20 - 50;

const later = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
const turn = () => new Promise((resolve) => setImmediate(resolve));
const thrower =
  (error = new Error("not today")) =>
  () => {
    throw error;
  };

/** A proxy that throws on every operation. */
function trapped(target) {
  const traps = Object.getOwnPropertyNames(Reflect).map((name) => [name, thrower(new RangeError(`${name} is trapped`))]);
  return new Proxy(target, Object.fromEntries(traps));
}

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function cycle() {
  const record = { price: 1, deliveryFee: 1 };
  record.discounts = [record];
  return Object.assign(record, { self: record });
}

function deep(levels) {
  let value = 1;
  for (let level = 0; level < levels; level += 1) value = { price: value };
  return value;
}

class Unwritable {
  price = 1;
  toJSON() {
    throw new TypeError("I am not for JSON");
  }
}

const LONG = "x".repeat(allAtNight(2, 100) * 2 ** 20);

/** Values that are invalid as an answer and as a record. */
const GARBAGE = {
  "a getter that throws": () => Object.defineProperty({}, "price", { get: thrower(), enumerable: true }),
  "a proxy whose traps throw": () => trapped({}),
  "a proxy of a list whose traps throw": () => trapped([]),
  "a revoked proxy": () => revoked({}),
  "a revoked proxy of a list": () => revoked([]),
  "a cycle": cycle,
  "megabytes of text": () => LONG,
  "megabytes of JSON text": () => `"${LONG}"`,
  "an object 100,000 deep": () => deep(100_000),
  "an object 200 deep": () => deep(200),
  "JSON text 1,000,000 deep": () => "[".repeat(1_000_000),
  "a sparse list": () => new Array(3),
  "a list of many holes": () => new Array(50_000),
  "a list whose length lies": () => new Proxy([], { get: (list, key) => (key === "length" ? 50_000 : list[key]) }),
  "a list whose length is no number": () => new Proxy([], { get: (list, key) => (key === "length" ? {} : list[key]) }),
  "a number": () => 5,
  "a number as text": () => "37.25",
  "numbers as texts": () => ({ price: "1", deliveryFee: "1", discounts: "1", value: "1" }),
  "a BigInt": () => 10n,
  BigInts: () => ({ price: 10n, deliveryFee: 10n, discounts: 10n, value: 10n }),
  NaN: () => NaN,
  NaNs: () => ({ price: NaN, deliveryFee: NaN, discounts: NaN, value: NaN }),
  Infinity: () => -Infinity,
  true: () => true,
  "an empty text": () => "",
  "a NUL": () => "\0",
  "half a character": () => "\ud83d",
  "a Symbol": () => Symbol("record"),
  "a function": () => () => ({ price: 1 }),
  "a class": () => Unwritable,
  "an instance whose toJSON throws": () => new Unwritable(),
  "a toJSON that is no function's": () => ({ toJSON: () => ({ price: -1, deliveryFee: -1, discounts: -1, value: -1 }) }),
  "a toJSON of nothing": () => ({ toJSON: () => undefined }),
  "a Date": () => new Date(0),
  "a Date that is none": () => new Date(NaN),
  "a RegExp": () => Object.assign(/x/, { deliveryFee: -1, discounts: 1 }),
  "a boxed number": () => Object(NaN),
  "a boxed text": () => Object('{"price":1}'),
  "an error": () => Object.assign(new Error("returned, not thrown"), { deliveryFee: -1, discounts: 1 }),
  "a thenable whose then throws": () => ({ then: thrower() }),
  "a then that throws when it is read": () => Object.defineProperty({}, "then", { get: thrower() }),
  "a promise whose then is overridden": () => Object.assign(Promise.resolve(5), { then: thrower() }),
  "a promise whose catch is overridden": () => Object.assign(Promise.reject(new Error("no")), { catch: thrower() }),
  "a promise whose catch is none": () => Object.assign(Promise.reject(new Error("no")), { catch: undefined }),
  "a promise whose constructor throws": () => Object.defineProperty(Promise.resolve(5), "constructor", { get: thrower() }),
  "a promise of a thenable that throws": () => Promise.resolve().then(() => ({ then: thrower() })),
  "a rejected thenable": () => ({ then: (_, reject) => reject(revoked({})) }),
};

/** Values that are invalid only for a list look-up or as a record: for the coupon service every field is optional. */
const EMPTY = {
  "an empty object": () => ({}),
  "an object like a list": () => ({ length: 2, 0: "5", 1: "6" }),
  "a Symbol of its own": () => Object(Symbol("record")),
  "typed numbers": () => Float64Array.of(1, 2),
  "a buffer": () => Buffer.from("[]"),
  "a Map": () => new Map([["price", 1]]),
  "a Set": () => new Set([1]),
  "a WeakRef": () => new WeakRef({}),
};
const NOTHING = { null: () => null, undefined: () => undefined };

const isList = (name) => name === "lookupPrices" || name === "lookupVouchers";

/** Every misbehaviour of one function that must end in an error: `[what, callback]`. */
function* misbehaviours(name) {
  const good = ANSWERS[name];
  yield ["throws", thrower()];
  yield ["throws a RangeError", thrower(new RangeError("Maximum call stack size exceeded"))];
  yield ["throws a trap's error", thrower(new WebAssembly.RuntimeError("unreachable"))];
  yield ["throws a PricingError", thrower(new PricingError({ code: "OVERFLOW", message: "mine", retryable: false }, "r"))];
  yield ["rejects", () => Promise.reject(new Error("not today"))];
  yield ["rejects with the facts of an error", () => Promise.reject({ code: "OVERFLOW", message: "mine", retryable: false })];
  yield ["never settles", () => new Promise(() => {})];
  yield ["never settles, as a thenable", () => ({ then() {} })];
  yield ["settles late", () => later(2 * DEADLINE_MS, good)];
  yield ["rejects late", () => later(2 * DEADLINE_MS).then(thrower())];
  yield [
    "recurses without end",
    function recurse() {
      return recurse();
    },
  ];
  const values = { ...GARBAGE, ...(name !== "validateCoupons" && EMPTY), ...NOTHING };
  for (const [what, make] of Object.entries(values)) {
    const isPromise = /promise|then/.test(what);
    yield [`returns ${what}`, make];
    if (isList(name) && !isPromise) yield [`lists ${what}`, () => [good[0], make()]];
    if (/megabytes/.test(what)) continue; // large values only once per function, to save time
    yield [`promises ${what}`, async () => make()];
    if (!isPromise) yield [`throws ${what}`, () => thrower(make())()];
  }
}

/** Odd answers that are still valid. */
function* oddities(name) {
  const good = ANSWERS[name];
  yield ["settles twice, as a thenable", () => ({ then: (resolve) => (resolve(good), resolve([])) })];
  yield ["resolves, then rejects and throws", () => ({ then: (resolve, reject) => (resolve(good), reject(new Error("no")), thrower()()) })];
  yield ["settles again when it is late", () => ({ then: (resolve) => (resolve(good), setTimeout(resolve, 2 * DEADLINE_MS, [])) })];
  yield ["calls at once, from a promise's own then", () => Object.assign(Promise.resolve(), { then: (resolve) => resolve(good) })];
  yield ["a class of promise", () => new (class extends Promise {})((resolve) => resolve(good))];
  yield ["a promise of a thenable", () => Promise.resolve().then(() => ({ then: (resolve) => resolve(good) }))];
  yield ["a proxy", () => new Proxy(structuredClone(good), {})];
  yield ["changes what it was asked", (asked, context) => (emptied(asked), emptied(context), good)];
  yield ["freezes what it was asked", (asked, context) => (Object.freeze(asked), Object.freeze(context), good)];
}

function emptied(object) {
  if (Array.isArray(object)) object.length = 0;
  for (const key of Object.keys(object)) delete object[key];
}

const problems = [];
const note = (problem) => problems.push(problem);
before(() => process.on("unhandledRejection", note).on("uncaughtException", note));
after(() => process.off("unhandledRejection", note).off("uncaughtException", note));

/** A busy machine takes longer for a hundred megabytes than the deadline. */
const time = fakeTime();
after(time.restore);

const BODY = JSON.stringify(ORDER);
const textOf = (bytes) => new TextDecoder().decode(bytes);
const PRICED = textOf(await (await createPricer(hostFromFacts(FACTS))).calculateJson(BODY));

/** A host that answers in a later turn of the event loop. */
const slowHost = () => {
  const good = hostFromFacts(FACTS);
  return Object.fromEntries(FUNCTIONS.map((name) => [name, async (...args) => (await turn(), good[name](...args))]));
};

const neighbour = await createPricer(slowHost());

/** Runs something beside two other calculations in the same module instance. Those must get their bytes. */
async function beside(run) {
  const others = [neighbour.calculateJson(BODY), neighbour.calculateJson(BODY)];
  let outcome;
  run().then(
    (priced) => (outcome = { priced }),
    (error) => (outcome = { error }),
  );
  const elapsed = await passTime(() => outcome);
  assert.ok(outcome, "it never ends");
  for (const bytes of await Promise.all(others)) assert.equal(textOf(bytes), PRICED);
  await turn();
  assert.deepEqual(problems.splice(0), []);
  return { ...outcome, elapsed };
}

/** Lets the time go on until something is over, for twice the deadline at most. Returns the milliseconds. */
async function passTime(isOver) {
  for (let elapsed = 0; ; elapsed += 1, time.tick(1)) {
    for (let turns = 0; turns < TURNS && !isOver(); turns += 1) await turn();
    if (isOver() || elapsed === 2 * DEADLINE_MS) return elapsed;
  }
}

function assertFailed({ priced, error, elapsed }, name) {
  assert.equal(priced, undefined);
  assert.ok(error instanceof PricingError, `${error}`);
  assert.ok(CODES[name].includes(error.code), `${error.code}: ${error.message.slice(0, 200)}`);
  assert.deepEqual(error.toJSON(), { error: error.message });
  assert.ok(elapsed <= DEADLINE_MS, `${elapsed} ms`);
}

function assertPriced({ priced, error }) {
  assert.equal(error, undefined, error?.message);
  assert.equal(JSON.stringify(priced), PRICED);
}

/** A pricer whose host has this function until `mend` is called. */
async function failing(name, callback, deadlineMs = DEADLINE_MS) {
  const host = { ...hostFromFacts(FACTS), [name]: callback };
  const pricer = await createPricer(host, { deadlineMs });
  return { host, pricer, mend: () => (host[name] = hostFromFacts(FACTS)[name]) };
}

for (const [turn, name] of FUNCTIONS.entries()) {
  describe(`${name} misbehaves`, () => {
    const all = [...misbehaviours(name)];
    // A change tries a third of them with each function, and another third with the next one.
    for (const [what, callback] of someOf(turn % 2 === 0 ? all : [...all.slice(1), all[0]])) {
      test(what, async () => {
        const { pricer, mend } = await failing(name, callback);
        assertFailed(await beside(() => pricer.calculate(ORDER)), name);
        mend();
        assertPriced(await beside(() => pricer.calculate(ORDER)));
      });

      test(`${what}, and a basket settles`, async () => {
        const { pricer, mend } = await failing(name, callback);
        const basket = pricer.basket(ORDER);
        const outcome = await beside(() => basket.settle());
        assertFailed(outcome, name);
        assert.equal(basket.status, "failed");
        assert.deepEqual([basket.error.message, basket.error.requestId], [outcome.error.message, outcome.error.requestId]);
        mend();
        basket.refresh(); // "not found" is an answer, which is kept
        assertPriced(await beside(() => basket.settle()));
        assert.equal(basket.status, "current");
        assert.equal(basket.totals.grandTotal, GRAND_TOTAL);
        basket.free();
      });
    }

    for (const [what, callback] of oddities(name)) {
      test(`${what}: an answer all the same`, async () => {
        const { pricer } = await failing(name, callback);
        assertPriced(await beside(() => pricer.calculate(ORDER)));
        const basket = pricer.basket(ORDER);
        assertPriced(await beside(() => basket.settle()));
        basket.free();
      });
    }
  });

  describe(`${name} calls back`, () => {
    const good = hostFromFacts(FACTS)[name];
    const patience = 5_000;

    test("prices another order first", async () => {
      const { pricer } = await failing(name, async (...args) => (await neighbour.calculate(ORDER), good(...args)), patience);
      assertPriced(await beside(() => pricer.calculate(ORDER)));
      const basket = pricer.basket(ORDER);
      assertPriced(await beside(() => basket.settle()));
      basket.free();
    });

    test("prices the same order with the same pricer, once", async () => {
      let isInside = false;
      const inside = [];
      const { pricer } = await failing(
        name,
        (...args) => {
          if (!isInside) {
            isInside = true;
            inside.push(pricer.calculate(ORDER), pricer.explain(ORDER), pricer.calculateJson(BODY));
          }
          return good(...args);
        },
        patience,
      );
      assertPriced(await beside(() => pricer.calculate(ORDER)));
      const [priced, explained, bytes] = await Promise.all(inside);
      assert.deepEqual([priced, explained.order, JSON.parse(textOf(bytes))], Array(3).fill(JSON.parse(PRICED)));
    });

    test("prices the same order for ever, and waits for it", async () => {
      const { pricer, mend } = await failing(name, () => pricer.calculate(ORDER));
      assertFailed(await beside(() => pricer.calculate(ORDER)), name);
      mend();
      assertPriced(await beside(() => pricer.calculate(ORDER)));
    });

    test("prices the same order for ever, and catches the errors", async () => {
      const { pricer, mend } = await failing(name, () => pricer.calculate(ORDER).catch(() => new Promise(() => {})));
      assertFailed(await beside(() => pricer.calculate(ORDER)), name);
      mend();
      assertPriced(await beside(() => pricer.calculate(ORDER)));
    });

    test("settles the basket that asks, and waits for it", async () => {
      let basket;
      const { pricer, mend } = await failing(name, () => basket.settle());
      basket = pricer.basket(ORDER);
      assertFailed(await beside(() => basket.settle()), name);
      mend();
      assertPriced(await beside(() => basket.settle()));
      basket.free();
    });

    test("settles the basket that asks, and answers: both have its order", async () => {
      let basket;
      const inside = [];
      const { pricer } = await failing(name, (...args) => (inside.push(basket.settle()), good(...args)));
      basket = pricer.basket(ORDER);
      assertPriced(await beside(() => basket.settle()));
      for (const order of await Promise.all(inside)) assert.equal(JSON.stringify(order), PRICED);
      basket.free();
    });

    for (const [when, wait] of [
      ["at once", (answer) => answer],
      ["later", (answer) => later(1, answer)],
    ]) {
      test(`frees the basket that asks, and answers ${when}`, async () => {
        let basket;
        const { pricer } = await failing(name, (...args) => (basket.free(), wait(good(...args))));
        basket = pricer.basket(ORDER);
        const { error } = await beside(() => basket.settle());
        assert.ok(error instanceof PricingError);
        assert.ok(["ABORTED", "VALIDATION_ERROR"].includes(error.code), error.code);
        assert.throws(() => basket.setOwner("malee"), { code: "VALIDATION_ERROR" });
        assertPriced(await beside(() => neighbour.calculate(ORDER)));
      });

      test(`edits the basket that asks, and answers ${when}`, async () => {
        let basket;
        let edits = 3;
        const { pricer } = await failing(
          name,
          (...args) => {
            if (edits > 0) {
              edits -= 1;
              basket.refresh();
              basket.setQuantity(0, 3 + edits);
            }
            return wait(good(...args));
          },
          patience,
        );
        basket = pricer.basket(ORDER);
        assertPriced(await beside(() => basket.settle()));
        assert.equal(edits, 0);
        basket.free();
      });
    }

    test("frees the basket from inside its answer", async () => {
      let basket;
      const answer = structuredClone(ANSWERS[name]);
      (isList(name) ? answer[0] : answer).toJSON = function () {
        basket.free();
        return { ...this, toJSON: undefined };
      };
      const { pricer } = await failing(name, () => answer);
      basket = pricer.basket(ORDER);
      const { error } = await beside(() => basket.settle());
      assert.ok(error instanceof PricingError);
      assertPriced(await beside(() => neighbour.calculate(ORDER)));
    });

    test("edits the basket that asks, for ever", async () => {
      let basket;
      const { pricer, mend } = await failing(name, (...args) => (basket.refresh(), good(...args)));
      basket = pricer.basket(ORDER);
      const { error } = await beside(() => basket.settle());
      assert.equal(error.code, "INTERNAL");
      assert.match(error.message, /^The basket changed in each of 100 rounds/);
      mend();
      assertPriced(await beside(() => basket.settle()));
      basket.free();
    });
  });
}

test("one look-up rejects while another one's answer is invalid", async () => {
  const texts = new Array(2).fill("x".repeat(300 * 2 ** 20));
  const host = { ...hostFromFacts(FACTS), lookupPrices: () => texts, nationwideRate: () => Promise.reject(new Error("no")) };
  const pricer = await createPricer(host);
  assertFailed(await beside(() => pricer.calculate(ORDER)), "lookupPrices");
  Object.assign(host, hostFromFacts(FACTS));
  assertPriced(await beside(() => pricer.calculate(ORDER)));
});

test("an answer of over 128 MiB fails only its own look-up", async () => {
  const text = "x".repeat(129 * 2 ** 20);
  for (const name of allAtNight(["lookupPrices"], FUNCTIONS)) {
    const { pricer } = await failing(name, () => (isList(name) ? [text, text] : text), 5_000);
    const outcome = await beside(() => pricer.calculate(ORDER));
    assertFailed(outcome, name);
    assert.equal(outcome.error.message, "The answer is larger than 134217728 bytes");
  }
});
