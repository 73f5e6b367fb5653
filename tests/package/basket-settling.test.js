// A basket that settles by itself, in fake time: its timers, its rounds and its pauses. D25, D42.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { keysOf } from "../model/basket.js";
import { LOOKUPS } from "../model/generator/world.js";
import { squareZones } from "../zones.js";
import { assertCurrent, DRY, FACTS, FULL, orderOf, product, REGULAR, turn } from "./basket-shop.js";
import { errorOf } from "./errors.js";
import { fakeTime } from "./fake-time.js";

const DEBOUNCE = 150;
const LATENCY = 20;
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** When a look-up is asked that always fails. */
function failing(pauses = PAUSES, { first = DEBOUNCE, latency = LATENCY } = {}) {
  const times = [first];
  for (const ms of pauses) times.push(times.at(-1) + latency + ms);
  return times;
}

let time;
beforeEach(() => (time = fakeTime()));
afterEach(() => time.restore());

/** Lets everything run that waits for no time. */
async function idle() {
  await turn();
  await turn();
}

/** How many timers keep the process alive. */
const kept = () => time.waiting().filter((timer) => timer.hasRef()).length;

/** Lets time pass, timer by timer. */
async function pass(ms) {
  const end = time.now + ms;
  do {
    const next = Math.min(end, ...time.waiting().map(({ at }) => at));
    time.tickTo(next);
    await idle();
  } while (time.now < end);
}

/** Waits until `ms` after the beginning. */
const until = (ms) => pass(ms - time.now);

const after = (ms, answer) => new Promise((resolve, reject) => setTimeout(() => Promise.resolve().then(answer).then(resolve, reject), ms));

/**
 * A basket and the calls of its host: `{ name, argument, keys, at, signal, context, isOver }`. `latency` is a number or
 * `(name, count) => ms`; `fails(name, argument, count)` may throw, or return an answer to give instead.
 */
async function shop({ order, latency = LATENCY, fails, autoSettle, facts = FACTS, context, isShared = false, ...options } = {}) {
  const known = hostFromFacts(facts);
  const calls = [];
  const count = (name) => calls.filter((call) => call.name === name).length;
  const host = Object.fromEntries(
    LOOKUPS.map((name) => [
      name,
      (argument, ctx) => {
        const call = {
          name,
          argument,
          keys: keysOf(name, argument),
          at: Date.now(),
          signal: ctx.signal,
          context: ctx.context,
          isOver: false,
        };
        const instead = () => fails?.(name, argument, count(name));
        calls.push(call);
        const ms = typeof latency === "function" ? latency(name, count(name)) : latency;
        const answer = async () => {
          call.isOver = true;
          return instead() ?? known[name](argument);
        };
        return ms === Infinity ? new Promise(() => {}) : after(ms, answer);
      },
    ]),
  );
  const pricer = await createPricer(host, options);
  const basketOptions = { autoSettle, context, ...(isShared && { facts: pricer.facts() }) };
  const basket = pricer.basket(order, basketOptions);
  /** When a function was called. */
  const timesOf = (name) => calls.filter((call) => call.name === name).map(({ at }) => at);
  /** Another basket of the same store. */
  const another = (other, settling = autoSettle) => pricer.basket(other, { ...basketOptions, autoSettle: settling });
  return { basket, pricer, calls, timesOf, another, start: Date.now() };
}

/** As `shop`, of a basket that settles by itself. */
const autoShop = (options) => shop({ autoSettle: true, ...options });

const closed = (names) => (name) => {
  if (names.includes(name)) throw new Error(`${name} is closed`);
};

test("a settle() whose signal has aborted asks nothing", async () => {
  const { basket, calls } = await shop({ order: orderOf(product()) });
  const error = await errorOf(basket.settle({ signal: AbortSignal.abort("no longer wanted") }));
  await pass(100);
  assert.deepEqual([error.code, error.cause, calls.length], ["ABORTED", "no longer wanted", 0]);
  basket.free();
});

test("a settle() whose signal aborts while it waits ends; others wait on", async () => {
  const { basket, calls } = await shop({ order: orderOf(product()) });
  const controller = new AbortController();
  const [ended, other] = [errorOf(basket.settle({ signal: controller.signal })), basket.settle()];
  await idle();
  controller.abort("no longer wanted");
  const { code, cause } = await ended;
  assert.deepEqual([code, cause, calls[0].isOver], ["ABORTED", "no longer wanted", false]);
  await pass(LATENCY);
  assert.equal((await other).grandTotal, 100);
  basket.free();
});

test("the signal of a call says why nobody waits for its answer any more", async () => {
  const { basket, calls } = await shop({ order: orderOf(product()), latency: Infinity, deadlineMs: 1_000 });
  const settled = errorOf(basket.settle());
  await pass(1_000);
  await settled;
  assert.deepEqual([calls[0].signal.reason.name, calls[0].signal.reason.message], ["TimeoutError", "No answer within 1000 ms"]);
  const again = errorOf(basket.settle());
  basket.removeProduct(0);
  await idle();
  await again;
  assert.deepEqual([calls[1].signal.reason.name, calls[1].signal.reason.message], ["AbortError", "The basket no longer needs this answer"]);
  basket.insertProduct(0, product());
  const last = errorOf(basket.settle());
  basket.free();
  await last;
  assert.equal(calls[2].signal.reason.message, "The basket was freed");
});

test("only a settle() that waits keeps the process alive, also for a call that was out before", async () => {
  const auto = await autoShop({ order: orderOf(product()), latency: Infinity, deadlineMs: 1000 });
  assert.equal(kept(), 0, "the debounce");
  await pass(DEBOUNCE);
  assert.deepEqual([auto.calls.length, kept()], [1, 0]);
  const settled = errorOf(auto.basket.settle());
  assert.equal(kept(), 1);
  await pass(1000);
  assert.equal((await settled).code, "PRICE_LOOKUP_FAILED");
  assert.equal(kept(), 0, "the backoff");
  await pass(1000);
  assert.deepEqual([auto.calls.length, kept()], [2, 0], "nobody waits for the retry");
  auto.basket.free();

  const { basket } = await shop({ order: orderOf(product()), latency: Infinity, deadlineMs: 1000 });
  const other = errorOf(basket.settle());
  assert.equal(kept(), 1);
  basket.free();
  await other;
  assert.equal(kept(), 0);
});

test("without a deadline a call may take as long as it likes", async () => {
  const { basket } = await shop({ order: orderOf(product()), latency: 3_600_000, deadlineMs: 0 });
  const settled = basket.settle();
  time.tick(3_600_000);
  await idle();
  assert.equal((await settled).subTotal, 100);
});

test("no pause follows zones that come while it settles", async () => {
  const { basket, calls, start } = await autoShop({
    order: { ...orderOf(product()), shipping: REGULAR, couponCodeList: ["A"] },
    deliveryZones: () => after(20, () => squareZones(40)),
  });
  await pass(400);
  assert.equal(basket.totals.deliveryFee, 40);
  assert.ok(calls.at(-1).at - start < DEBOUNCE + 40, `${calls.at(-1).at - start} ms`);
  assert.deepEqual(
    calls.map(({ name }) => name),
    ["lookupPrices", "validateCoupons"],
  );
});

test("a basket that is freed waits for zones no more; one that is late gives their call up, whatever the clock says", async () => {
  let zones = 0;
  const deliveryZones = () => ((zones += 1), new Promise(() => {}));
  const order = { ...orderOf(product()), shipping: REGULAR };
  const patient = await shop({ order, deliveryZones, deadlineMs: 0 });
  const other = patient.pricer.basket(order);
  for (const basket of [patient.basket, other]) void errorOf(basket.settle());
  other.free();
  await pass(20_000);
  assert.equal(zones, 1);
  patient.basket.free();

  const late = await shop({ order, deliveryZones, deadlineMs: 1000 });
  const frozen = Date.now();
  Date.now = () => frozen;
  for (const expected of [2, 3]) {
    const settled = errorOf(late.basket.settle());
    await pass(1000);
    assert.equal((await settled).code, "DELIVERY_ZONES_FAILED");
    assert.equal(zones, expected);
  }
});

test("after a retry, too, an edit is asked for when its debounce ends, though another answer comes before", async () => {
  const { basket, calls } = await autoShop({
    order: orderOf(product()),
    fails: (name, _, count) => (count < 2 ? closed([name])(name) : undefined),
  });
  await pass(DEBOUNCE + 20 + 1000 + 100);
  assert.deepEqual([basket.status, calls.length], ["current", 2]);
  basket.addProduct(product(1003));
  const settled = basket.settle();
  await pass(10);
  basket.addProduct(product(1002));
  const edited = Date.now();
  await pass(500);
  assert.equal((await settled).productList.length, 3);
  assert.deepEqual(
    calls.slice(2).map(({ keys }) => keys),
    [["1003/1000"], ["1002/1000"]],
  );
  assert.ok(calls[3].at >= edited + DEBOUNCE, `${calls[3].at - edited} ms after the edit`);
});

test("while a retry is out, edits ask for nothing before its answer", async () => {
  const latency = (_, count) => (count < 2 ? 20 : 200);
  const { basket, calls } = await autoShop({
    order: orderOf(product()),
    latency,
    fails: (name, _, count) => (count < 2 ? closed([name])(name) : undefined),
  });
  await pass(DEBOUNCE + 20 + 1000 + 20);
  assert.equal(calls.length, 2);
  for (const cprcode of [1002, 1003]) basket.addProduct(product(cprcode));
  await pass(50);
  assert.equal(calls.length, 2);
  await pass(1000);
  assert.deepEqual([calls[2].keys, basket.status], [["1002/1000", "1003/1000"], "current"]);
});

/** A shop whose host adds a product in each of its calls, as long as `rounds` lasts. None of these calls is answered. */
async function endlessShop(options, state) {
  const prices = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [1001 + index, { price: 1 }]));
  const latency = () => {
    if (state.rounds === 0) return 20;
    state.rounds -= 1;
    state.basket.addProduct(product(1001 + state.basket.rows.length));
    return Infinity;
  };
  const made = await shop({ order: orderOf(product()), facts: { ...FACTS, prices }, latency, ...options });
  state.basket = made.basket;
  return made;
}

test("a host that edits in each call: 99 times are fine, the hundredth ends all, and settle() asks anew", async () => {
  const state = { rounds: 99 };
  const fine = await endlessShop({ deadlineMs: 0 }, state);
  void errorOf(fine.basket.settle());
  await pass(50);
  assert.deepEqual([fine.calls.length, fine.basket.snapshot.isSettling], [100, true]);
  fine.basket.free();

  state.rounds = Infinity;
  const { basket, calls } = await endlessShop({ deadlineMs: 0 }, state);
  const error = await errorOf(basket.settle());
  assert.deepEqual([error.code, error.retryable], ["INTERNAL", true]);
  assert.match(error.message, /^The basket changed in each of 100 rounds/);
  assert.equal(calls.length, 100);
  assert.ok(calls.every(({ signal }) => signal.aborted && signal.reason === error));
  assert.equal(basket.snapshot.isSettling, false);
  state.rounds = 0;
  const settled = basket.settle();
  await pass(50);
  assert.equal((await settled).subTotal, 101);
  assert.equal(calls.length, 101);
});

suite("a host that edits in each call, for ever", () => {
  const at = (calls) => [...new Set(calls.map((call) => call.at))];

  test("is asked again after the pauses of a failure, without a subscriber as often as there are pauses", async () => {
    const state = { rounds: Infinity };
    const { basket, calls } = await endlessShop({ autoSettle: true }, state);
    await pass(100_000);
    assert.deepEqual(at(calls), failing(PAUSES, { latency: 0 }));
    assert.equal(calls.length, 7 * 100);
    assert.equal(basket.snapshot.isSettling, false);
    basket.subscribe(() => {});
    assert.equal(basket.snapshot.isSettling, true);
    state.rounds = 0;
    await pass(31_000);
    assert.deepEqual([at(calls).at(-1), basket.status], [130_000, "current"]);
  });

  test("is not asked again with no pauses before an edit", async () => {
    const state = { rounds: Infinity };
    const { basket, calls } = await endlessShop({ autoSettle: { retryMs: [] } }, state);
    await pass(10_000);
    assert.deepEqual([at(calls), calls.length, basket.snapshot.isSettling], [[DEBOUNCE], 100, false]);
    state.rounds = 0;
    basket.setQuantity(0, 2);
    await pass(200);
    assert.deepEqual([calls.at(-1).at, basket.status], [10_000 + DEBOUNCE, "current"]);
  });

  test("is asked again though a look-up has failed, too; edits do not end the pause", async () => {
    let calls = 0;
    const host = {
      lookupVouchers: closed(["lookupVouchers"]).bind(undefined, "lookupVouchers"),
      lookupPrices: (keys) => ((calls += 1), calls <= 100 && basket.addProduct(product(1001 + calls)), keys.map(() => ({ price: 1 }))),
    };
    const pricer = await createPricer(host);
    const basket = pricer.basket({ ...orderOf(product()), ownerId: "malee", voucherId: ["V1"] }, { autoSettle: true });
    await until(DEBOUNCE + 20);
    assert.equal(calls, 100);
    basket.setQuantity(0, 2);
    await until(DEBOUNCE + 999);
    assert.deepEqual([calls, basket.snapshot.isSettling], [100, true]);
    await pass(1);
    assert.equal(calls, 101);
    basket.free();
  });
});

suite("what was never asked", () => {
  test("is asked once, when its debounce ends, whatever else has failed", async () => {
    const { basket, calls } = await autoShop({ order: FULL, fails: closed(LOOKUPS) });
    await until(300);
    calls.length = 0;
    basket.addProduct(product(1002));
    await until(400);
    basket.setVouchers(["V1", "V2"]);
    await until(500);
    basket.setShipping({ ...DRY, scheduleList: [{ mode: "NATIONWIDE", nationwideMode: "FRESH" }] });
    await until(1_000);
    const asked = calls.map(({ name, keys, at }) => [name, keys, at]);
    assert.deepEqual(asked, [
      ["lookupPrices", ["1002/1000"], 650],
      ["nationwideRate", ["FRESH/10110"], 650],
      ["lookupVouchers", ["V2"], 650],
    ]);
    basket.free();
  });

  test("is not asked by a pause without failures, nor twice", async () => {
    const { basket, calls } = await autoShop({ order: orderOf(product()) });
    await until(200);
    basket.addProduct(product(1002));
    basket.addProduct(product(1002));
    await until(100_000);
    assert.deepEqual(
      calls.map(({ keys, at }) => [keys, at]),
      [
        [["1001/1000"], 150],
        [["1002/1000"], 350],
      ],
    );
    await assertCurrent(basket, await createPricer(hostFromFacts(FACTS)));
  });
});

suite("the pauses after failures", () => {
  test("are by look-up, each from its own failure", async () => {
    const latency = (name) => (name === "lookupVouchers" ? 520 : LATENCY);
    const { basket, timesOf } = await autoShop({ order: FULL, latency, fails: closed(LOOKUPS) });
    await until(31_000);
    for (const name of ["lookupPrices", "nationwideRate"]) assert.deepEqual(timesOf(name), failing(PAUSES.slice(0, 4)), name);
    assert.deepEqual(timesOf("lookupVouchers"), failing(PAUSES.slice(0, 4), { latency: 520 }));
    basket.free();
  });

  test("are one for the failed keys of a look-up, which are asked in one call; a new key joins it", async () => {
    const { basket, calls } = await autoShop({ order: orderOf(product()), fails: closed(["lookupPrices"]) });
    for (const [ms, cprcode] of [
      [400, 1002],
      [700, 1003],
    ]) {
      await until(ms);
      basket.addProduct(product(cprcode));
    }
    await until(4_000);
    const all = ["1001/1000", "1002/1000", "1003/1000"];
    const [first, second, third] = failing(PAUSES.slice(0, 2));
    const expected = [
      [["1001/1000"], first],
      [["1002/1000"], 550],
      [["1003/1000"], 850],
      [all, second],
      [all, third],
    ];
    assert.deepEqual(
      calls.map(({ keys, at }) => [keys, at]),
      expected,
    );
    basket.free();
  });

  test("go on while another call of the same look-up hangs", async () => {
    const latency = (name, count) => (count === 2 ? Infinity : LATENCY);
    const { basket, calls } = await autoShop({ order: orderOf(product()), latency, deadlineMs: 0, fails: closed(["lookupPrices"]) });
    await until(100);
    basket.addProduct(product(1002));
    await until(300);
    basket.addProduct(product(1003));
    await until(10_000);
    const times = failing(PAUSES.slice(0, 3), { first: 250 });
    assert.deepEqual(
      calls.filter(({ keys }) => keys.includes("1001/1000")).map(({ at }) => at),
      times,
    );
    basket.free();
  });

  test("begin with a failure, not with the call that asks again", async () => {
    const { basket, timesOf } = await autoShop({ order: orderOf(product()), latency: 3_000, fails: closed(["lookupPrices"]) });
    await until(40_000);
    assert.deepEqual(timesOf("lookupPrices"), failing(PAUSES.slice(0, 4), { latency: 3_000 }));
    basket.free();
  });

  test("are retryMs, longer by up to 20 % at random", async () => {
    for (const [random, factor] of [
      [0, 1],
      [0.5, 1.1],
      [1, 1.2],
    ]) {
      time.restore();
      time = fakeTime({ random });
      const { basket, timesOf } = await autoShop({
        order: orderOf(product()),
        autoSettle: { retryMs: [500, 3_000] },
        fails: closed(["lookupPrices"]),
      });
      await until(4_500);
      assert.deepEqual(timesOf("lookupPrices"), failing([500 * factor, 3_000 * factor]), `${factor}`);
      basket.free();
    }
  });

  test("are never longer than a timer", async () => {
    time.restore();
    time = fakeTime({ random: 1 });
    const { basket } = await autoShop({
      order: orderOf(product()),
      autoSettle: { retryMs: [2 ** 31 - 1] },
      fails: closed(["lookupPrices"]),
    });
    await until(170);
    assert.deepEqual(
      time.waiting().map(({ at }) => at - Date.now()),
      [2 ** 31 - 1],
    );
    basket.free();
  });

  test("repeat the last one while somebody subscribes; without a subscriber each runs once; subscribing later resumes", async () => {
    const settings = { order: orderOf(product()), autoSettle: { retryMs: [100, 300] }, fails: closed(["lookupPrices"]) };
    const watched = await autoShop(settings);
    const stop = watched.basket.subscribe(() => {});
    await until(2_000);
    const times = failing([100, 300, 300, 300, 300, 300, 300]);
    assert.deepEqual(
      watched.timesOf("lookupPrices"),
      times.filter((at) => at < 2_000),
    );
    stop();
    await pass(10_000);
    assert.ok(watched.timesOf("lookupPrices").length <= times.length, "without a subscriber");
    assert.equal(watched.basket.isSettling, false);
    watched.basket.subscribe(() => {});
    assert.equal(watched.basket.isSettling, true);
    await pass(301);
    assert.equal(watched.timesOf("lookupPrices").at(-1), 12_300);
    watched.basket.free();

    const alone = await autoShop(settings);
    alone.basket.addEventListener("change", () => {});
    await pass(10_000);
    assert.deepEqual(alone.timesOf("lookupPrices"), failing([100, 300], { first: alone.start + DEBOUNCE }));
    assert.deepEqual([alone.basket.isSettling, time.waiting().length], [false, 0]);
  });

  test("begin anew with settle(), which asks at once", async () => {
    const { basket, calls } = await autoShop({ order: FULL, fails: closed(LOOKUPS) });
    await until(5_000);
    calls.length = 0;
    const error = await Promise.all([errorOf(basket.settle()), pass(20)]);
    assert.equal(error[0].code, "PRICE_LOOKUP_FAILED");
    await until(9_000);
    for (const name of ["lookupPrices", "nationwideRate", "lookupVouchers"]) {
      assert.deepEqual(
        calls.filter((call) => call.name === name).map(({ at }) => at),
        failing([1_000, 2_000], { first: 5_000 }),
        name,
      );
    }
    basket.free();
  });

  test("are not shortened by an edit, and do not begin again", async () => {
    const { basket, timesOf } = await autoShop({ order: orderOf(product()), fails: closed(["lookupPrices"]) });
    for (let ms = 200; ms < 7_000; ms += 70) {
      await until(ms);
      basket.setQuantity(0, ms);
      if (ms % 3 === 0) basket.setVouchers([`V${ms}`]); // so that a debounce runs all the time
    }
    assert.deepEqual(timesOf("lookupPrices"), failing(PAUSES.slice(0, 2)));
    await until(7_300);
    assert.deepEqual(timesOf("lookupPrices"), failing(PAUSES.slice(0, 3)));
    basket.free();
  });

  test("end with the need for what failed; then it is as if it was never asked", async () => {
    const { basket, timesOf } = await autoShop({ order: orderOf(product()), fails: closed(["lookupPrices"]) });
    await until(2_000);
    basket.removeProduct(0);
    assert.deepEqual([basket.isSettling, time.waiting()], [false, []]);
    await until(2_500);
    basket.addProduct(product());
    await until(3_700);
    assert.deepEqual(timesOf("lookupPrices").slice(2), failing([1_000], { first: 2_650 }));
    basket.free();
  });

  test("begin anew if the call that asks again is dropped", async () => {
    const latency = (name, count) => (name === "lookupVouchers" && count === 2 ? Infinity : LATENCY);
    const order = { ...orderOf(product()), voucherId: ["V1"] };
    const { basket, timesOf } = await autoShop({ order, latency, deadlineMs: 0, fails: closed(["lookupVouchers"]) });
    await until(1_500);
    basket.removeProduct(0);
    basket.addProduct(product());
    assert.deepEqual([basket.problems.length, basket.isSettling], [1, true]);
    await until(3_600);
    assert.deepEqual(timesOf("lookupVouchers"), [150, 1_170, 2_500]);
    basket.free();
  });

  test("end with refresh(), which asks after the debounce", async () => {
    const order = { ...orderOf(product()), couponCodeList: ["A"] };
    const { basket, timesOf } = await autoShop({ order, fails: closed(["validateCoupons"]) });
    await until(300);
    basket.refresh();
    await until(1_500);
    assert.deepEqual(timesOf("lookupPrices"), [150, 450]);
    assert.deepEqual(timesOf("validateCoupons"), [170, 470, 1_490]);
    basket.free();
  });

  test("hold for the function that gives the zones, too", async () => {
    const times = [];
    const deliveryZones = () => {
      times.push(Date.now());
      if (times.length < 3) throw new Error("closed");
      return squareZones(40);
    };
    const { basket } = await autoShop({ order: { ...orderOf(product()), shipping: REGULAR }, deliveryZones });
    await until(5_000);
    assert.deepEqual(times, failing([1_000, 2_000], { latency: 0 }));
    assert.deepEqual([basket.status, basket.totals.deliveryFee], ["current", 40]);
  });

  test("none with retryMs: []: only settle() or refresh() asks again", async () => {
    const { basket, timesOf } = await autoShop({ order: FULL, autoSettle: { retryMs: [] }, fails: closed(LOOKUPS) });
    basket.subscribe(() => {});
    await until(100_000);
    assert.deepEqual(timesOf("lookupPrices"), [DEBOUNCE]);
    assert.deepEqual([basket.isSettling, time.waiting().length], [false, 0]);
    await Promise.all([errorOf(basket.settle()), pass(20)]);
    basket.refresh();
    await pass(100_000);
    assert.deepEqual(timesOf("lookupPrices"), [DEBOUNCE, 100_000, 100_170]);
    basket.free();
  });
});

suite("after a failed coupon call", () => {
  const order = { ...orderOf(product()), couponCodeList: ["A"] };
  const first = DEBOUNCE + LATENCY; // prices come before

  test("changed requests wait for its pause, codes taken out and put in as well", async () => {
    const { basket, timesOf, calls } = await autoShop({ order, fails: closed(["validateCoupons"]) });
    await until(300);
    basket.setQuantity(0, 2);
    assert.deepEqual([basket.status, basket.pending, basket.isSettling], ["pending", ["coupons"], true]);
    await until(500);
    basket.setCoupons([]);
    assert.deepEqual([basket.status, basket.isSettling], ["current", false]);
    await until(600);
    basket.setCoupons(["B"]);
    assert.equal(basket.isSettling, true);
    await until(1_500);
    assert.deepEqual(timesOf("validateCoupons"), failing([1_000], { first }));
    assert.deepEqual(calls.at(-1).argument.couponCodeList, ["B"]);
    basket.free();
  });

  test("new prices are asked when their debounce ends", async () => {
    const { basket, timesOf } = await autoShop({ order, fails: closed(["validateCoupons"]) });
    await until(300);
    basket.addProduct(product(1002));
    await until(3_000);
    assert.deepEqual(timesOf("lookupPrices"), [DEBOUNCE, 300 + DEBOUNCE]);
    assert.deepEqual(timesOf("validateCoupons"), failing([1_000], { first }));
    basket.free();
  });

  test("its pause goes on without codes; beside it the pause of another look-up ends in a call", async () => {
    const fails = (name, _, count) =>
      name === "lookupPrices" && count < 2 ? undefined : closed(["validateCoupons", "lookupPrices"])(name);
    const { basket } = await autoShop({ order, fails });
    await until(300);
    basket.setCoupons([]);
    assert.equal(basket.isSettling, false);
    basket.addProduct(product(1002));
    await until(600);
    assert.deepEqual([basket.problems.map(({ code }) => code), basket.isSettling], [["PRICE_LOOKUP_FAILED"], true]);
    basket.free();
  });

  test("a pause that ends while a customer edits leaves the call to the debounce", async () => {
    const { basket, timesOf } = await autoShop({ order, fails: closed(["validateCoupons"]) });
    await until(1_150);
    basket.setQuantity(0, 2);
    await until(1_500);
    assert.deepEqual(timesOf("validateCoupons"), [first, 1_150 + DEBOUNCE]);
    basket.free();
  });

  test("a settle() that waits asks for a changed request at once", async () => {
    const latency = (name) => (name === "validateCoupons" ? 300 : LATENCY);
    const fails = (name, _, count) => (count < 2 ? closed(["validateCoupons"])(name) : undefined);
    const { basket, timesOf } = await autoShop({ order, latency, fails });
    const settled = basket.settle();
    await until(300);
    basket.setVouchers(["V2"]); // the request stays the same, and the call goes on
    await until(400);
    basket.setQuantity(0, 2);
    await until(1_000);
    assert.deepEqual(timesOf("validateCoupons"), [LATENCY, 400 + DEBOUNCE + LATENCY]);
    assert.equal((await settled).cartDiscount, 10);
  });
});

suite("a failure whose error says retryable: false", () => {
  const order = { ...FULL, shipping: DRY };
  /** What is out of reach while another look-up has failed. */
  const edits = (basket) => [
    () => basket.addProduct(product(1003)),
    () => basket.setVouchers(["V1", "V2"]),
    () => basket.setOwner("somchai"),
  ];

  for (const lookup of LOOKUPS) {
    test(`${lookup}: only settle() or refresh() asks again`, async () => {
      const fails = (name) => {
        if (name === lookup) throw Object.assign(new Error("refused"), { retryable: false });
      };
      const { basket, calls, timesOf } = await autoShop({ order, fails });
      basket.subscribe(() => {});
      await until(1_000);
      const problem = basket.problems.find(({ subject }) => subject.lookup === lookup);
      assert.deepEqual([problem.message, problem.retryable, basket.isSettling], ["refused", false, false]);
      const [key] = calls.find(({ name }) => name === lookup).keys;
      const isAsked = (call) => call.name === lookup && (key === undefined || call.keys.includes(key));
      await until(100_000);
      if (lookup !== "validateCoupons") for (const edit of edits(basket)) edit(), await pass(1_000); // other requests are asked
      assert.equal(calls.filter(isAsked).length, 1);
      calls.length = 0;
      await Promise.all([errorOf(basket.settle()), pass(1_000)]);
      assert.equal(calls.filter(isAsked).length, 1);
      const { length } = timesOf(lookup);
      basket.refresh();
      await pass(100_000);
      assert.ok(timesOf(lookup).length > length, "refresh()");
      assert.equal(calls.filter(isAsked).length, 2);
      basket.free();
    });
  }

  test("of two failures only the one that may pass is asked again", async () => {
    const fails = (name) => {
      if (name === "lookupVouchers") throw new Error("closed");
      if (name === "nationwideRate") throw Object.assign(new Error("refused"), { retryable: false });
    };
    const { basket, timesOf } = await autoShop({ order: FULL, fails });
    await until(30_000);
    assert.deepEqual(timesOf("lookupVouchers"), failing(PAUSES.slice(0, 4)));
    assert.deepEqual([timesOf("nationwideRate").length, timesOf("lookupPrices").length], [1, 1]);
    basket.free();
  });
});

test("isSettling is true while a call is out or a pause runs that ends in one, and false else", async () => {
  const fails = (name, _, count) => (count < 2 ? closed(["lookupPrices"])(name) : undefined);
  const { basket, another } = await autoShop({ order: orderOf(product()), fails, autoSettle: { retryMs: [1_000] } });
  const heard = [];
  basket.subscribe(({ isSettling, status }) => heard.push([Date.now(), isSettling, status]));
  await until(2_000);
  basket.setQuantity(0, 2); // asks nothing
  await until(3_000);
  basket.addProduct(product(1002));
  await until(3_100);
  basket.removeProduct(1); // before it was asked
  await until(4_000);
  basket.setCoupons(["A"]);
  await until(5_000);
  assert.deepEqual(heard, [
    [0, true, "pending"],
    [170, true, "failed"],
    [1_190, false, "current"],
    [2_000, false, "current"],
    [3_000, true, "pending"],
    [3_100, false, "current"],
    [4_000, true, "pending"],
    [4_170, false, "current"],
  ]);
  assert.equal(another(undefined).isSettling, false, "an empty basket");
  assert.equal(another(orderOf(product(1003)), false).isSettling, false, "one that does not settle by itself");
});

test("coupons that wait for a problem to be solved end no pause: the basket does not settle", async () => {
  const { basket } = await autoShop({ order: { ...orderOf(product(9999)), couponCodeList: ["A"] } });
  await until(1_000);
  basket.setCoupons(["B"]);
  assert.deepEqual([basket.snapshot.blocked, basket.isSettling, time.waiting().length], [["coupons"], false, 1]);
  basket.free();
});

suite("two baskets of one store", () => {
  const order = orderOf(product());

  test("do not double the calls of a look-up that fails", async () => {
    const { basket, another, timesOf } = await autoShop({ order, isShared: true, fails: closed(["lookupPrices"]) });
    const baskets = [basket, another(order)];
    await until(300);
    baskets.push(another(order));
    await until(31_000);
    const calls = timesOf("lookupPrices").length;
    assert.ok(calls <= PAUSES.length && calls >= 5, `${calls} calls`);
    for (const one of baskets) one.free();
    assert.deepEqual(time.waiting(), []);
  });

  test("share the pause of a look-up, though their keys differ: none waits for ever", async () => {
    let isOpen = false;
    const { basket, another, calls } = await autoShop({
      order,
      isShared: true,
      fails: (name) => (isOpen ? undefined : closed(["lookupPrices"])(name)),
    });
    await until(700);
    const other = another(orderOf(product(1002)));
    for (const one of [basket, other]) one.subscribe(() => {});
    await until(100_000);
    const asked = (key) => calls.filter(({ keys }) => keys.includes(key)).map(({ at }) => at);
    assert.deepEqual(asked("1002/1000").slice(1), asked("1001/1000").slice(1));
    isOpen = true;
    await pass(31_000);
    for (const one of [basket, other]) assert.equal(one.status, "current"), one.free();
  });

  test("each wait for their own coupons", async () => {
    const coupons = { ...order, couponCodeList: ["A"] };
    const { basket, another, timesOf } = await autoShop({ order: coupons, isShared: true, fails: closed(["validateCoupons"]) });
    await until(500);
    const other = another(coupons);
    await until(2_000);
    assert.deepEqual(timesOf("validateCoupons"), [170, 650, 1_190, 1_670]);
    for (const one of [basket, other]) one.free();
  });

  test("one with retryMs: [] asks for nothing again", async () => {
    const { basket, another, calls } = await autoShop({ order, isShared: true, fails: closed(["lookupPrices"]) });
    const other = another(orderOf(product(1002)), { retryMs: [] });
    await until(5_000);
    const asked = (key) => calls.filter(({ keys }) => keys.includes(key)).map(({ at }) => at);
    assert.deepEqual([asked("1002/1000").length, asked("1001/1000")], [1, failing(PAUSES.slice(0, 2))]);
    for (const one of [basket, other]) one.free();
  });
});

test("nothing keeps the process alive: no debounce, no pause, no call and no deadline", async () => {
  const { basket, calls } = await autoShop({ order: FULL, fails: closed(LOOKUPS), latency: 2_000 });
  basket.subscribe(() => {});
  for (let ms = 0; ms < 100_000; ms += 500) {
    await until(ms);
    assert.equal(kept(), calls.filter(({ isOver }) => !isOver).length, `only the host's own timers at ${ms} ms`);
  }
  basket.free();
});

test("a basket that is freed leaves no timer", async () => {
  const debounced = await autoShop({ order: FULL });
  debounced.basket.free();
  const failed = await autoShop({ order: FULL, fails: closed(LOOKUPS) });
  await pass(200);
  failed.basket.free();
  const repeated = await autoShop({ order: FULL, fails: closed(LOOKUPS), autoSettle: { retryMs: [10] } });
  repeated.basket.subscribe(() => {});
  await pass(1_000);
  const edited = repeated.basket;
  edited.addProduct(product(1002));
  edited.free();
  const endless = await endlessShop({ autoSettle: true }, { rounds: Infinity });
  await pass(200);
  endless.basket.free();
  await pass(LATENCY); // the host's
  assert.deepEqual(time.waiting(), []);
});

test("a basket that was freed is collected without an error", () => {
  const script = `
    import { createPricer } from "order-cost";
    const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 1 })) });
    (() => { for (const isFreed of [true, false]) { const basket = pricer.basket(); if (isFreed) basket.free(); } })();
    for (let turn = 0; turn < 5; turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc(); }
    console.log((await pricer.calculate({ productList: [{ cprcode: 1, productName: "x", quantity: 2 }] })).subTotal);
  `;
  const options = ["--expose-gc", "--input-type=module", "--eval", script];
  assert.equal(execFileSync(process.execPath, options, { cwd: fileURLToPath(new URL("..", import.meta.url)), encoding: "utf8" }), "2\n");
});
