// What pkg/host.js makes of a host's promises and thrown values, and that all host code counts as nested.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runInNewContext } from "node:vm";
import { createPricer } from "order-cost";
import { answerBytes } from "../../pkg/core/answer.js";
import { asPromise, invoke, isFinal, isNested, messageOf, questionsOf } from "../../pkg/core/host.js";
import { memoryBytes } from "../../pkg/wasm/order_cost.js";
import { deliveredBy, squareZones } from "../zones.js";
import { fakeTime } from "./fake-time.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

suite("a host's promise", () => {
  test("is what has a then, a function too; anything else is a value", async () => {
    const then = (resolve) => resolve(7);
    const withThen = Object.assign(() => {}, { then });
    for (const value of [{ then }, withThen, Promise.resolve(7)]) assert.equal(await asPromise(value), 7);
    for (const value of [undefined, null, 5, "then", true, {}, [], () => {}, { then: 5 }]) assert.equal(asPromise(value), undefined);
  });

  test("its then is read once, called later and with the promise itself", async () => {
    let reads = 0;
    const seen = [];
    const value = {
      get then() {
        reads += 1;
        return function (resolve) {
          seen.push(this);
          resolve("done");
        };
      },
    };
    const promise = asPromise(value);
    assert.deepEqual([reads, seen], [1, []]);
    assert.equal(await promise, "done");
    assert.equal(reads, 1);
    assert.equal(seen[0], value);
  });

  test("rejects if its then throws, or reading it does; without an unhandled rejection", async () => {
    const no = new Error("no");
    const throws = () => {
      throw no;
    };
    for (const make of [() => ({ then: throws }), () => Object.defineProperty({}, "then", { get: throws }), () => Promise.reject(no)]) {
      const promise = asPromise(make());
      await turn();
      await assert.rejects(promise, no);
    }
  });
});

suite("what a host throws", () => {
  const odd = new Proxy({}, { get: () => assert.fail("secret"), getOwnPropertyDescriptor: () => assert.fail("secret") });

  test("its text is an Error's message, also of another realm, or the string itself", () => {
    for (const [thrown, text] of [
      [new Error("closed"), "closed"],
      [runInNewContext('new TypeError("closed")'), "closed"],
      ["closed", "closed"],
      [new DOMException("closed", "AbortError"), "closed"],
      [Object.defineProperty(new Error("closed"), "stack", { value: undefined }), "closed"],
      ...[
        new Error(""),
        "",
        5,
        null,
        undefined,
        odd,
        {},
        { message: "closed" },
        { name: "E", message: "closed" },
        { message: "closed", stack: "at" },
      ].map((thrown) => [thrown, undefined]),
      [Object.assign(new Error(), { message: 5 }), undefined],
    ]) {
      assert.equal(messageOf(thrown), text);
    }
  });

  test("is final only if its own retryable is false", () => {
    assert.equal(isFinal({ retryable: false }), true);
    for (const thrown of [{ retryable: true }, { retryable: 0 }, {}, Object.create({ retryable: false }), null, undefined, odd, "no"]) {
      assert.equal(isFinal(thrown), false);
    }
  });
});

suite("questions", () => {
  const encoder = new TextEncoder();
  const asked = (questions, entries) =>
    questionsOf({ enter: (entry) => (entry === "ask" ? encoder.encode(questions) : entries[entry]) }, true);

  test("prices are asked by branch and code, and other questions are handed on as they are", () => {
    assert.deepEqual(asked("[]", {}), []);
    const prices = '[[7,"lookupPrices",2,"1000"]]';
    assert.deepEqual(asked(prices, { cprcodes: Float64Array.of(5, 2 ** 40) }), [
      {
        call: 7,
        lookup: "lookupPrices",
        keys: 2,
        argument: [
          { cprcode: 5, branchId: "1000" },
          { cprcode: 2 ** 40, branchId: "1000" },
        ],
      },
    ]);
    const others = [
      { call: 8, lookup: "lookupVouchers", keys: 3, argument: ["A", "B", "C"] },
      { call: 9, lookup: "deliveryZones", keys: 0, argument: null },
    ];
    assert.deepEqual(asked('[[8,"lookupVouchers",3,["A","B","C"]],[9,"deliveryZones",0,null]]', {}), others);
  });

  const couponRequest = (head, rows = encoder.encode('[{"cprcode":1}]')) =>
    asked(`[[0,"validateCoupons",0,${head}]]`, { couponRows: rows })[0].argument;
  const coupons = (head) => couponRequest(JSON.stringify(head));

  test("the products of the coupon question are read once, and a host may replace them", () => {
    const argument = coupons({ couponCodeList: ["A"] });
    assert.deepEqual(argument.productList, [{ cprcode: 1 }]);
    assert.equal(argument.productList, argument.productList);
    argument.productList = [];
    assert.deepEqual(argument.productList, []);
    const other = coupons({});
    other.productList = ["mine"];
    assert.deepEqual(other.productList, ["mine"]);
  });

  test("D25: a date beyond the doubles is the nearest one", () => {
    const dateOf = (text) => couponRequest(`{"orderDate":${text}}`, new Uint8Array()).orderDate;
    assert.deepEqual(["1e999", "-1e999", "5"].map(dateOf), [Number.MAX_VALUE, -Number.MAX_VALUE, 5]);
  });

  test("a host's function has the host as this; a host without it, or none at all, lacks an answer", () => {
    const host = {
      lookupPrices(keys, context) {
        return [this, keys, context];
      },
    };
    const call = { lookup: "lookupPrices", argument: ["keys"] };
    invoke(host, call, "context");
    assert.equal(call.value[0], host);
    assert.deepEqual(call.value.slice(1), [["keys"], "context"]);
    for (const none of [undefined, null, {}, { lookupPrices: 5 }]) {
      const missing = { lookup: "lookupPrices" };
      invoke(none, missing, "context");
      assert.deepEqual(missing, { lookup: "lookupPrices", isMissing: true });
    }
  });
});

const ORDER = { productList: [{ cprcode: 1, productName: "x", quantity: 1 }] };
const DELIVERED = { ...ORDER, shipping: deliveredBy("REGULAR") };
const ZONES = squareZones(30);

let levels;
const nesting = await createPricer({
  lookupPrices(keys) {
    levels += 1;
    void nesting.calculate(ORDER).catch(() => {});
    return keys.map(() => ({ price: 1 }));
  },
});

/** How many calculations fit into one another, from where it is called. */
function deepest() {
  levels = 0;
  void nesting.calculate(ORDER).catch(() => {});
  return levels;
}

test("an answer may have 128 MiB and no byte more", () => {
  const most = 128 * 2 ** 20;
  assert.equal(answerBytes(" ".repeat(most)).length, most);
  assert.throws(() => answerBytes(`${" ".repeat(most - 1)}\u00e9`), {
    name: "RangeError",
    message: `The answer is larger than ${most} bytes`,
  });
});

test("memory that an order took comes back, but not while another order waits", async () => {
  const most = 64 * 2 ** 20;
  let answer;
  const patient = await createPricer({ lookupPrices: () => new Promise((resolve) => (answer = resolve)) }, { deadlineMs: 0 });
  const large = await createPricer({ lookupPrices: () => [`${" ".repeat(most)}{"price":1}`] });
  const waiting = patient.calculate(ORDER);
  assert.equal((await large.calculate(ORDER)).subTotal, 1);
  assert.ok(memoryBytes() > most);
  answer([{ price: 2 }]);
  assert.equal((await waiting).subTotal, 2);
  assert.ok(memoryBytes() < most);
});

test("bytes and questions belong to who has them, whatever is priced next", async () => {
  const questions = [];
  const shop = await createPricer({
    lookupPrices: (keys) => keys.map(({ cprcode }) => ({ price: cprcode })),
    validateCoupons: (question) => (questions.push(question), { discounts: [] }),
  });
  const body = (cprcode) => JSON.stringify({ productList: [{ cprcode, productName: `p${cprcode}`, quantity: 1 }], couponCodeList: ["A"] });
  const answers = [];
  for (const cprcode of [1, 2, 3]) answers.push(await shop.calculateJson(body(cprcode)));
  assert.deepEqual(
    answers.map((bytes) => JSON.parse(new TextDecoder().decode(bytes)).subTotal),
    [1, 2, 3],
  );
  assert.deepEqual(
    questions.map(({ productList: [{ cprcode }] }) => cprcode),
    [1, 2, 3],
  );
});

test("an order leaves no timer, however it ends", async () => {
  const time = fakeTime();
  try {
    const caller = new AbortController();
    for (const [answer, call] of [
      [async () => [{ price: 1 }]],
      [async () => assert.fail("closed")],
      [() => new Promise(() => {}), { signal: caller.signal }],
    ]) {
      const shop = await createPricer({ lookupPrices: answer }, { deadlineMs: 1000 });
      const outcome = shop.calculate(ORDER, call).catch(({ code }) => code);
      assert.equal(time.waiting().length, 1);
      if (call) caller.abort();
      await outcome;
      assert.deepEqual(time.waiting(), []);
    }
    const patient = await createPricer({ lookupPrices: async () => [{ price: 1 }] }, { deadlineMs: 0 });
    const outcome = patient.calculate(ORDER);
    assert.deepEqual(time.waiting(), []);
    await outcome;
  } finally {
    time.restore();
  }
});

test("the zones' function is nested too when an order asks anew, and is called without this and arguments", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const seen = [];
  const deliveryZones = function (...args) {
    seen.push([this, args, isNested()]);
    return seen.length === 1 ? new Promise(() => {}) : ZONES;
  };
  const shop = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 1 })) }, { deliveryZones, deadlineMs: 0 });
  const orders = [1, 2].map(() => shop.calculate(DELIVERED));
  t.mock.timers.tick(5_000);
  for (const order of orders) assert.equal((await order).deliveryFee, 30);
  assert.deepEqual(seen, [
    [undefined, [], true],
    [undefined, [], true],
  ]);
});

suite("32 calculations fit into one another, host code that runs counts as one", () => {
  const soon = async (value) => value;
  const later = (value) => new Promise((resolve) => setTimeout(resolve, 1, value));
  const noted = (note, record) => ({ toJSON: () => (note(), record) });
  const failing = (note) =>
    Object.defineProperty(new Error(), "message", {
      get: () => (note(), "closed"),
    });
  test("baskets that settle count as well", async () => {
    let depth = 0;
    const pricer = await createPricer({
      lookupPrices(keys) {
        depth += 1;
        void pricer
          .basket(ORDER)
          .settle()
          .catch(() => {});
        return keys.map(() => ({ price: 1 }));
      },
    });
    void pricer.basket(ORDER).settle();
    assert.equal(depth, 32);
  });

  const PLACES = {
    "a function": [(note) => ({ lookupPrices: () => (note(), [{ price: 1 }]) })],
    "an answer that is read": [(note) => ({ lookupPrices: () => [noted(note, { price: 1 })] })],
    "an answer that comes soon": [(note) => ({ lookupPrices: () => soon([noted(note, { price: 1 })]) })],
    "an answer that comes later": [(note) => ({ lookupPrices: () => later([noted(note, { price: 1 })]) })],
    "what it throws later": [(note) => ({ lookupPrices: () => soon().then(() => Promise.reject(failing(note))) })],
    "the zones' function": [(note) => ({}), (note) => (note(), ZONES)],
    "the zones, read later": [(note) => ({}), (note) => later(noted(note, ZONES))],
  };
  const prices = (keys) => keys.map(() => ({ price: 1 }));
  for (const [place, [hostOf, zonesOf]] of Object.entries(PLACES)) {
    for (const how of ["calculate", "settle"]) {
      test(`${place}, in ${how}`, async () => {
        assert.equal(deepest(), 32);
        const depths = [];
        const note = () => depths.push(deepest(), isNested());
        const options = zonesOf && { deliveryZones: () => zonesOf(note) };
        const shop = await createPricer({ lookupPrices: prices, ...hostOf(note) }, options);
        const order = zonesOf ? DELIVERED : ORDER;
        const outcome = how === "calculate" ? shop.calculate(order) : shop.basket(order).settle();
        await outcome.then(
          () => {},
          () => {},
        );
        assert.deepEqual(depths.slice(0, 2), [31, true]);
        assert.equal(isNested(), false);
      });
    }
  }
});
