// A basket that settles by itself, in fake time: its timers, its rounds and its pauses. D25, D42.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { keysOf } from "../model/basket.js";
import { LOOKUPS } from "../model/generator/world.js";
import { FACTS, FULL, REGULAR, ZONES, errorOf, orderOf, product, turn } from "./basket-shop.js";
import { fakeTime } from "./fake-time.js";

const DEBOUNCE = 150;

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

const STEP = 5;

/** Lets time pass. */
async function pass(ms) {
  for (let passed = 0; passed < ms; passed += STEP) {
    time.tick(STEP);
    await turn();
  }
  await idle();
}

const after = (ms, answer) => new Promise((resolve, reject) => setTimeout(() => Promise.resolve().then(answer).then(resolve, reject), ms));

/**
 * A basket and the calls of its host: `{ name, argument, keys, at, signal, context, isOver }`. `latency` is a number or
 * `(name, count) => ms`; `fails(name, argument, count)` may throw, or return an answer to give instead.
 */
async function shop({ order, latency = 20, fails, autoSettle, facts = FACTS, context, ...options } = {}) {
  const known = hostFromFacts(facts);
  const calls = [];
  const count = (name) => calls.filter((call) => call.name === name).length;
  const host = Object.fromEntries(
    LOOKUPS.map((name) => [
      name,
      (argument, ctx) => {
        const call = { name, argument, keys: keysOf(name, argument), at: Date.now(), signal: ctx.signal, context: ctx.context, isOver: false };
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
  const basket = pricer.basket(order, { autoSettle, context });
  /** The names since the last time. */
  const asked = () => calls.splice(0).map(({ name }) => name);
  return { basket, pricer, calls, asked, start: Date.now() };
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
  const { basket, calls, start } = await autoShop({ order: { ...orderOf(product()), shipping: REGULAR, couponCodeList: ["A"] }, deliveryZones: () => after(20, () => ZONES(40)) });
  await pass(400);
  assert.equal(basket.totals.deliveryFee, 40);
  assert.ok(calls.at(-1).at - start < DEBOUNCE + 40, `${calls.at(-1).at - start} ms`);
  assert.deepEqual(calls.map(({ name }) => name), ["lookupPrices", "validateCoupons"]);
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

test("of two failures only the one that may pass is asked again", async () => {
  const fails = (name) => {
    if (name === "lookupVouchers") throw new Error("closed");
    if (name === "nationwideRate") throw Object.assign(new Error("refused"), { retryable: false });
  };
  const { basket, calls } = await autoShop({ order: FULL, fails });
  await pass((DEBOUNCE + 20) + 30_000);
  const count = (name) => calls.filter((call) => call.name === name).length;
  assert.deepEqual(["lookupVouchers", "nationwideRate", "lookupPrices"].map(count), [4, 1, 1]);
  basket.free();
});

test("after a retry, too, an edit is asked for when its debounce ends, though another answer comes before", async () => {
  const { basket, calls } = await autoShop({ order: orderOf(product()), fails: (name, _, count) => (count < 2 ? closed([name])(name) : undefined) });
  await pass((DEBOUNCE + 20) + 1000 + 100);
  assert.deepEqual([basket.status, calls.length], ["current", 2]);
  basket.addProduct(product(1003));
  const settled = basket.settle();
  await pass(10);
  basket.addProduct(product(1002));
  const edited = Date.now();
  await pass(500);
  assert.equal((await settled).productList.length, 3);
  assert.deepEqual(calls.slice(2).map(({ keys }) => keys), [["1003/1000"], ["1002/1000"]]);
  assert.ok(calls[3].at >= edited + DEBOUNCE, `${calls[3].at - edited} ms after the edit`);
});

test("while a retry is out, edits ask for nothing before its answer", async () => {
  const latency = (_, count) => (count < 2 ? 20 : 200);
  const { basket, calls } = await autoShop({ order: orderOf(product()), latency, fails: (name, _, count) => (count < 2 ? closed([name])(name) : undefined) });
  await pass((DEBOUNCE + 20) + 1000 + 20);
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

test("a host that edits in each call, for ever: asked again after 1, 2 and 4 s, as after a failure", async () => {
  const { basket, calls, start } = await endlessShop({ autoSettle: true }, { rounds: Infinity });
  await pass(30_000);
  const at = [...new Set(calls.map((call) => call.at - start))];
  assertTimes(at.map((ms) => ({ at: ms })), 0, [150, 1150, 3150, 7150]);
  assert.equal(calls.length, 4 * 100);
  basket.free();
});

test("a pause after a host that edits for ever ends with another try, though a look-up has failed, too", async () => {
  let calls = 0;
  const host = {
    lookupVouchers: closed(["lookupVouchers"]).bind(undefined, "lookupVouchers"),
    lookupPrices: (keys) => ((calls += 1), calls <= 100 && basket.addProduct(product(1001 + calls)), keys.map(() => ({ price: 1 }))),
  };
  const pricer = await createPricer(host);
  const basket = pricer.basket({ ...orderOf(product()), ownerId: "malee", voucherId: ["V1"] }, { autoSettle: true });
  await pass(DEBOUNCE + 20);
  assert.equal(calls, 100);
  await pass(1000);
  assert.equal(calls, 101);
  basket.free();
});

test("a basket that is freed leaves no timer", async () => {
  const debounced = await autoShop({ order: FULL });
  debounced.basket.free();
  const backingOff = await autoShop({ order: FULL, fails: closed(LOOKUPS) });
  await pass(200);
  backingOff.basket.free();
  assert.deepEqual(time.waiting(), []);
});

function assertTimes(calls, from, expected) {
  assert.deepEqual(calls.map(({ at }) => at - from).length, expected.length, `${calls.map(({ at }) => at - from)}`);
  calls.forEach(({ at }, index) => assert.ok(Math.abs(at - from - expected[index]) <= 2 * STEP * (index + 1), `${calls.map((call) => call.at - from)}, expected ${expected}`));
}
