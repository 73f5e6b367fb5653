// A basket that settles by itself, in fake time: what it asks, when, what it aborts, and what it does after a failure.
// D25, D42.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, suite, test } from "node:test";
import { createPricer, PricingError } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { SEED, cases } from "../effort.js";
import { NaiveBasket, keysOf } from "../model/basket.js";
import { draftEdit, draftProduct } from "../model/generator/edits.js";
import { randomFrom } from "../model/generator/random.js";
import { LOOKUPS, MALFORMED, World } from "../model/generator/world.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import { assertShows, said } from "./basket-shown.js";
import { DRY, FACTS, FULL, ZONES, errorOf, orderOf, product, turn } from "./basket-shop.js";
import { fakeTime } from "./fake-time.js";

const SEQUENCES = cases(250);
const DEBOUNCE = 150;
const BACKOFF = [1000, 2000, 4000];

let time;
beforeEach(() => (time = fakeTime()));
afterEach(() => time.restore());

/** Lets everything run that waits for no time. */
async function idle() {
  await turn();
  await turn();
}

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

suite("when it settles", () => {
  test("150 ms after it was made, and after the last edit that leaves something pending", async () => {
    const { basket, asked } = await autoShop({ order: orderOf(product()) });
    await pass(145);
    assert.deepEqual(asked(), []);
    basket.addProduct(product(1002));
    await pass(145);
    assert.deepEqual(asked(), []);
    await pass(5);
    assert.deepEqual(asked(), ["lookupPrices"]);
    assert.equal(basket.snapshot.isSettling, true);
    await pass(20);
    assert.deepEqual([basket.status, basket.snapshot.isSettling, basket.totals.subTotal], ["current", false, 130]);
    basket.setQuantity(0, 5);
    await pass(1000);
    assert.deepEqual(asked(), [], "nothing was pending");
    basket.free();
  });

  test("debounceMs is an option; 0 is as soon as the edits of this turn are done", async () => {
    const slow = await autoShop({ order: orderOf(product()), autoSettle: { debounceMs: 400 } });
    await pass(395);
    assert.deepEqual(slow.asked(), []);
    await pass(5);
    assert.deepEqual(slow.asked(), ["lookupPrices"]);
    const fast = await autoShop({ order: orderOf(product()), autoSettle: { debounceMs: 0 } });
    await pass(5);
    assert.deepEqual(fast.asked(), ["lookupPrices"]);
    const plain = await autoShop({ order: orderOf(product()), autoSettle: {} });
    await pass(145);
    assert.deepEqual(plain.asked(), []);
    await pass(5);
    assert.deepEqual(plain.asked(), ["lookupPrices"]);
  });

  test("never without the option", async () => {
    for (const autoSettle of [undefined, false]) {
      const { pricer, basket, asked } = await autoShop({ order: FULL, autoSettle });
      basket.refresh();
      const other = pricer.basket(FULL);
      await pass(10_000);
      assert.deepEqual([asked(), other.snapshot.isSettling], [[], false]);
    }
  });

  test("never for an empty basket, and nothing that an emptied one was asking goes on", async () => {
    const { basket, asked, calls } = await autoShop({ order: { ...FULL, productList: [] } });
    basket.refresh();
    basket.setCoupons(["B"]);
    await pass(2000);
    assert.deepEqual(asked(), []);
    basket.addProduct(product());
    await pass(155);
    assert.equal(calls.length, 3);
    basket.removeProduct(0);
    await idle();
    assert.ok(calls.every(({ signal }) => signal.aborted));
    assert.equal(basket.snapshot.isSettling, false);
    await pass(2000);
    assert.equal(asked().length, 3);
    assert.deepEqual([basket.status, basket.totals.grandTotal], ["current", 0]);
  });

  test("refresh() and new zones are edits", async () => {
    const shipping = { shippingType: "DELIVERY", shippingLon: 100.5, shippingLat: 13.5, scheduleList: [{ mode: "REGULAR" }] };
    const { basket, pricer, asked } = await autoShop({ order: { ...orderOf(product()), shipping, couponCodeList: ["A"] }, deliveryZones: ZONES(40) });
    await pass(500);
    assert.deepEqual(asked(), ["lookupPrices", "validateCoupons"]);
    pricer.setDeliveryZones(ZONES(55));
    await pass(145);
    assert.deepEqual([basket.pending, asked()], [["coupons"], []]);
    await pass(100);
    assert.deepEqual(asked(), ["validateCoupons"], "another delivery fee is another request");
    basket.refresh(0);
    assert.equal(basket.totals.subTotal, 100);
    await pass(145);
    assert.deepEqual(asked(), []);
    await pass(100);
    assert.deepEqual(asked(), ["lookupPrices"], "the same price, so the same request");
    assert.equal(basket.status, "current");
  });

  test("an explicit settle() ends the debounce", async () => {
    const { basket, asked } = await autoShop({ order: { ...orderOf(product()), couponCodeList: ["A"] } });
    const settled = basket.settle();
    await pass(45);
    assert.deepEqual(asked(), ["lookupPrices", "validateCoupons"]);
    await settled;
    await pass(1000);
    assert.deepEqual(asked(), [], "nothing is left to ask");
  });

  test("no coupon call starts while the debounce runs, though prices have answered", async () => {
    const { basket, asked } = await autoShop({ order: { ...orderOf(product()), couponCodeList: ["A"] }, latency: 100 });
    await pass(200);
    assert.deepEqual(asked(), ["lookupPrices"]);
    basket.setQuantity(0, 2);
    await pass(145);
    assert.deepEqual([asked(), basket.pending], [[], ["coupons"]]);
    await pass(5);
    assert.deepEqual(asked(), ["validateCoupons"]);
  });

  test("10 edits 100 ms apart with a slow coupon service: one coupon call", async () => {
    const latency = (name) => (name === "validateCoupons" ? 300 : 20);
    const { basket, asked } = await autoShop({ order: { ...orderOf(product()), couponCodeList: ["A"] }, latency });
    await pass(600);
    asked();
    for (let edit = 0; edit < 10; edit += 1) {
      basket.setQuantity(0, 2 + edit);
      await pass(100);
    }
    await pass(1000);
    assert.deepEqual(asked(), ["validateCoupons"]);
    assert.deepEqual([basket.status, basket.totals.subTotal, basket.totals.cartDiscount], ["current", 1100, 10]);
  });

  test("coupons wait for prices, delivery and vouchers", async () => {
    const latency = (name) => ({ lookupPrices: 50, nationwideRate: 200, lookupVouchers: 300, validateCoupons: 10 })[name];
    const { asked, basket } = await autoShop({ order: FULL, latency });
    await pass(150 + 295);
    assert.deepEqual(asked().sort(), ["lookupPrices", "lookupVouchers", "nationwideRate"]);
    await pass(10);
    assert.deepEqual(asked(), ["validateCoupons"]);
    await pass(20);
    assert.equal(basket.status, "current");
  });

  test("coupons are not asked while a price or a delivery is wrong; a voucher does not stop them", async () => {
    const lost = { ...FULL, productList: [product(9999), product()] };
    for (const [order, isAsked] of [
      [lost, false],
      [{ ...FULL, shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }] } }, false],
      [{ ...FULL, voucherId: ["V9"] }, true],
    ]) {
      const { asked, basket } = await autoShop({ order });
      await pass(3000);
      assert.equal(asked().includes("validateCoupons"), isAsked, basket.error.message);
      assert.equal(basket.status, "failed");
      basket.free();
    }
  });

  test("what was not found is asked again after refresh(), or when the last line that names it has gone and comes back", async () => {
    const { basket, asked } = await autoShop({ order: orderOf(product(9999), product(9999), product()) });
    const passAndAsk = async () => {
      await pass(400);
      return asked();
    };
    assert.deepEqual(await passAndAsk(), ["lookupPrices"]);
    basket.setQuantity(2, 3);
    basket.setCoupons([]);
    assert.deepEqual(await passAndAsk(), []);
    await errorOf(basket.settle());
    assert.deepEqual(await passAndAsk(), [], "settle() does not ask it either");
    basket.removeProduct(0);
    basket.addProduct(product(9999));
    assert.deepEqual([await passAndAsk(), basket.snapshot.problems.length], [[], 2], "one line was left");
    basket.removeProduct(0);
    basket.removeProduct(1);
    assert.equal(basket.status, "current");
    basket.addProduct(product(9999));
    assert.deepEqual([basket.pending, await passAndAsk()], [["prices"], ["lookupPrices"]]);
    basket.refresh(1);
    assert.deepEqual([basket.pending, await passAndAsk()], [["prices"], ["lookupPrices"]]);
    assert.equal(basket.error.code, "PRODUCT_PRICE_NOT_FOUND");
    basket.setVouchers(["V9"]);
    assert.deepEqual(await passAndAsk(), ["lookupVouchers"]);
    basket.setVouchers(["V9", "V9"]);
    assert.deepEqual(await passAndAsk(), []);
    basket.setVouchers([]);
    basket.setVouchers(["V9"]);
    assert.deepEqual(await passAndAsk(), ["lookupVouchers"]);
  });

  test("undo by replace asks nothing", async () => {
    const { basket, asked } = await autoShop({ order: FULL });
    await pass(400);
    const { order, snapshot } = basket;
    asked();
    basket.replace({ ...order, productList: [product(1001, 7)], couponCodeList: [] });
    await pass(50);
    basket.replace(order);
    assert.equal(basket.status, "current");
    assert.deepEqual(basket.totals, snapshot.totals);
    await pass(1000);
    assert.deepEqual(asked(), []);
  });

  test("the basket's context reaches every call", async () => {
    const context = { tenant: 7 };
    const { calls } = await autoShop({ order: FULL, context });
    await pass(400);
    assert.deepEqual(calls.map((call) => call.context === context), [true, true, true, true]);
  });
});

suite("calls that are out", () => {
  test("only what is of no use any more is aborted; the rest runs on, and the next round asks for the rest", async () => {
    const { basket, calls } = await autoShop({ order: { ...FULL, productList: [product(1001), product(1002)] }, latency: 1000 });
    await pass(155);
    const [prices, rate, vouchers] = ["lookupPrices", "nationwideRate", "lookupVouchers"].map((one) => calls.find(({ name }) => name === one));
    basket.removeProduct(0);
    basket.setOwner("somchai");
    basket.setVouchers(["V1", "V2"]);
    basket.addProduct(product(1003));
    assert.deepEqual([prices, rate, vouchers].map(({ signal }) => signal.aborted), [false, false, false]);
    basket.setShipping({ ...DRY, scheduleList: [{ nationwideMode: "FRESH" }] });
    await idle();
    assert.deepEqual([prices, rate, vouchers].map(({ signal }) => signal.aborted), [false, true, false]);
    await pass(200);
    assert.deepEqual(calls.slice(3).map(({ keys }) => keys).sort(), [["1003/1000"], ["FRESH/10110"], ["V2"]]);
    await pass(3000);
    assert.equal(basket.status, "current");
    assert.deepEqual(calls.slice(6).map(({ name }) => name), ["validateCoupons"]);
  });

  test("a coupon call is aborted when the request differs, and not when it does not", async () => {
    const { basket, calls } = await autoShop({ order: FULL, latency: (name) => (name === "validateCoupons" ? 1000 : 20) });
    await pass(200);
    const [first] = calls.filter(({ name }) => name === "validateCoupons");
    basket.setVouchers([]);
    basket.updateProduct(0, { remark: "" });
    basket.refresh();
    assert.equal(first.signal.aborted, false);
    basket.setQuantity(0, 2);
    assert.equal(first.signal.aborted, true);
    await pass(3000);
    assert.equal(basket.status, "current");
    basket.free();
  });

  test("refresh() while a call is out: it runs on, and is asked again afterwards", async () => {
    const { basket, calls } = await autoShop({ order: orderOf(product()), latency: 500 });
    await pass(300);
    basket.refresh();
    await pass(200);
    assert.deepEqual(calls.map(({ signal }) => signal.aborted), [false]);
    await pass(155);
    assert.equal(calls.length, 2, "after the first has answered");
    assert.ok(calls[1].at >= calls[0].at + 500);
    await pass(505);
    assert.equal(basket.status, "current");
    await pass(2000);
    assert.equal(calls.length, 2);
  });

  test("an answer to an aborted call is dropped", async () => {
    const { basket, calls } = await autoShop({ order: FULL, latency: (name) => (name === "validateCoupons" ? 500 : 20) });
    await pass(250);
    basket.setCoupons(["B"]);
    assert.deepEqual(calls.filter(({ name }) => name === "validateCoupons").map(({ signal }) => signal.aborted), [true]);
    await pass(400);
    assert.equal(basket.totals.cartDiscount, 0, "of A nothing counts");
    await pass(1000);
    assert.equal(basket.totals.cartDiscount, 5);
  });

  test("a signal ends only its own wait", async () => {
    const { basket, calls } = await autoShop({ order: orderOf(product()), latency: 300 });
    const [one, other] = [new AbortController(), new AbortController()];
    const first = basket.settle({ signal: one.signal });
    const second = basket.settle({ signal: other.signal });
    const third = basket.settle();
    await pass(100);
    const reason = new Error("left the page");
    one.abort(reason);
    const error = await errorOf(first);
    assert.deepEqual([error.code, error.cause], ["ABORTED", reason]);
    assert.deepEqual([basket.status, basket.error, calls[0].signal.aborted], ["pending", null, false]);
    await pass(300);
    assert.equal((await second).subTotal, 100);
    assert.equal((await third).subTotal, 100);
    assert.equal(calls.length, 1);
  });

  test("a signal that is aborted already: ABORTED, and nothing else", async () => {
    const { basket } = await autoShop({ order: orderOf(product()), autoSettle: false });
    assert.equal((await errorOf(basket.settle({ signal: AbortSignal.abort() }))).code, "ABORTED");
    assert.deepEqual([basket.status, basket.error], ["pending", null]);
  });

  test("each call has its own deadline", async () => {
    const latency = (name) => ({ lookupPrices: Infinity, lookupVouchers: 180 })[name] ?? 20;
    const { basket, calls } = await autoShop({ order: FULL, latency, deadlineMs: 200, autoSettle: false });
    const settled = errorOf(basket.settle());
    await pass(195);
    assert.equal(basket.error, null);
    await pass(10);
    assert.deepEqual(said(basket.error), {
      code: "PRICE_LOOKUP_FAILED",
      message: "lookupPrices did not answer within 200 ms",
      path: undefined,
      retryable: true,
      subject: { lookup: "lookupPrices" },
    });
    assert.equal((await settled).message, basket.error.message);
    assert.equal(calls[0].signal.aborted, true);
    assert.equal(calls.some(({ name }) => name === "validateCoupons"), false);
    assert.equal(basket.snapshot.validVouchers.length, 1, "a failed look-up ends no other one");
  });

  test("free() ends timers, calls and waits", async () => {
    const { basket, calls } = await autoShop({ order: FULL, latency: 300 });
    await pass(200);
    const settled = errorOf(basket.settle());
    basket.free();
    await settled;
    assert.ok(calls.length === 3 && calls.every(({ signal }) => signal.aborted));
    await pass(10_000);
    assert.equal(calls.length, 3);

    const debounced = await autoShop({ order: FULL });
    debounced.basket.free();
    const backingOff = await autoShop({ order: FULL, fails: closed(LOOKUPS) });
    await pass(200);
    const { length } = backingOff.calls;
    backingOff.basket.free();
    await pass(10_000);
    assert.deepEqual([debounced.calls.length, backingOff.calls.length], [0, length]);
  });
});

suite("after a failure", () => {
  const FIRST = DEBOUNCE + 20;

  test("again after 1, 2 and 4 s, then not before the next edit", async () => {
    const { basket, calls, start } = await autoShop({ order: orderOf(product()), fails: closed(["lookupPrices"]) });
    await pass(FIRST + 30_000);
    assertTimes(calls, start, [150, 150 + 20 + 1000, 150 + 20 + 1000 + 20 + 2000, 150 + 20 + 1000 + 20 + 2000 + 20 + 4000]);
    assert.equal(basket.status, "failed");
    calls.length = 0;
    basket.setQuantity(0, 2);
    const edited = Date.now();
    await pass(DEBOUNCE + 30_000);
    assertTimes(calls, edited, [150, 1170, 3190, 7210]);
  });

  test("an error that says itself that another try is in vain: only settle() asks again", async () => {
    const fails = () => {
      throw Object.assign(new Error("refused"), { retryable: false });
    };
    const { basket, calls } = await autoShop({ order: orderOf(product()), fails });
    await pass(FIRST + 30_000);
    assert.deepEqual([calls.length, basket.error.retryable, basket.error.message], [1, false, "refused"]);
    const settled = errorOf(basket.settle());
    await pass(30_000);
    assert.equal((await settled).message, "refused");
    assert.equal(calls.length, 2);
  });

  test("one click on Retry, which is settle(), with a failing service: exactly 4 calls within 7 s", async () => {
    const { basket, calls } = await autoShop({ order: orderOf(product()), fails: closed(["lookupPrices"]), latency: 5 });
    await pass(20_000);
    calls.length = 0;
    const settled = errorOf(basket.settle());
    await pass(7100);
    assert.equal((await settled).retryable, true);
    assert.equal(calls.length, 4);
    await pass(20_000);
    assert.equal(calls.length, 4);
  });

  test("settle() during the backoff starts the count anew", async () => {
    const { basket, calls } = await autoShop({ order: orderOf(product()), fails: closed(["lookupPrices"]) });
    await pass(FIRST + 1000 + 20 + 500); // the second of the three waits
    calls.length = 0;
    const clicked = Date.now();
    const settled = errorOf(basket.settle());
    await pass(20_000);
    await settled;
    assertTimes(calls, clicked, [0, 1020, 3040, 7060]);
  });

  test("during the backoff nothing settles by itself, whatever is edited", async () => {
    const { basket, calls, start } = await autoShop({ order: orderOf(product()), fails: (name, _, count) => (name === "lookupPrices" && count < 2 ? closed([name])(name) : undefined) });
    await pass(FIRST + 200);
    basket.addProduct(product(1002));
    basket.setCoupons(["A"]);
    basket.setVouchers(["V1"]);
    basket.refresh();
    await pass(750);
    assert.equal(calls.length, 1);
    await pass(300);
    assert.deepEqual(calls.filter(({ name }) => name === "lookupPrices").map(({ keys }) => keys), [["1001/1000"], ["1001/1000", "1002/1000"]]);
    assert.ok(calls[1].at >= start + FIRST + 1000);
    await pass(500);
    assert.equal(basket.status, "current");
  });

  test("an edit shortly before the end of a pause: coupons still wait for its debounce", async () => {
    const { basket, calls } = await autoShop({ order: { ...orderOf(product()), couponCodeList: ["A"] }, fails: (name, _, count) => (name === "lookupPrices" && count < 2 ? closed([name])(name) : undefined) });
    await pass(FIRST + 950);
    basket.setQuantity(0, 2);
    const edited = Date.now();
    await pass(1000);
    const [coupons, ...more] = calls.filter(({ name }) => name === "validateCoupons");
    assert.ok(coupons.at >= edited + DEBOUNCE, `${coupons.at - edited} ms after the edit`);
    assert.deepEqual([more.length, basket.status], [0, "current"]);
  });

  test("a success ends the count", async () => {
    let isClosed = true;
    const { basket, calls, start } = await autoShop({ order: orderOf(product()), fails: (name) => (isClosed ? closed(["lookupPrices"])(name) : undefined) });
    await pass(FIRST + 500);
    isClosed = false;
    await pass(1000);
    assertTimes(calls, start, [150, 1170]);
    assert.deepEqual([basket.status, basket.error], ["current", null]);
    isClosed = true;
    basket.addProduct(product(1002));
    const edited = Date.now();
    await pass(30_000);
    assertTimes(calls.slice(2), edited, [150, 1170, 3190, 7210]);
    assert.equal(basket.totals.subTotal, 100, "what is known counts");
  });

  test("the problem stays while it is asked again, until it is answered", async () => {
    const { basket } = await autoShop({ order: orderOf(product()), fails: (name, _, count) => (count < 2 ? closed([name])(name) : undefined), latency: 100 });
    await pass(260);
    const { error } = basket;
    assert.equal(error.message, "lookupPrices is closed");
    await pass(1040);
    assert.deepEqual([basket.snapshot.isSettling, basket.status], [true, "failed"]);
    assert.equal(basket.error, error);
    await pass(100);
    assert.deepEqual([basket.snapshot.isSettling, basket.status], [false, "current"]);
  });

  test("one that is not retryable: again only at the next edit, or settle()", async () => {
    for (const [what, fails] of [
      ["a wrong record", (name) => (name === "lookupPrices" ? [{ price: -1 }] : undefined)],
      ["a wrong answer", (name) => (name === "lookupPrices" ? 5 : undefined)],
    ]) {
      const { basket, calls } = await autoShop({ order: orderOf(product()), fails });
      await pass(30_000);
      assert.equal(calls.length, 1, what);
      assert.equal(basket.error.retryable, false);
      basket.setQuantity(0, 2);
      await pass(30_000);
      assert.equal(calls.length, 2, what);
      await Promise.all([errorOf(basket.settle()), pass(30_000)]);
      assert.equal(calls.length, 3, what);
    }
  });

  test("coupons: a failure belongs to its request and goes when that differs", async () => {
    const { basket, calls } = await autoShop({ order: FULL, fails: closed(["validateCoupons"]) });
    const coupons = () => calls.filter(({ name }) => name === "validateCoupons").length;
    await pass(DEBOUNCE + 100);
    assert.deepEqual([basket.status, basket.error.subject, basket.pending], ["failed", { lookup: "validateCoupons" }, []]);
    assert.equal(coupons(), 1);
    basket.setQuantity(0, 2);
    assert.deepEqual([basket.status, basket.error, basket.pending], ["pending", null, ["coupons"]]);
    await pass(20_000);
    assert.deepEqual([basket.status, basket.error.code], ["failed", "COUPON_SERVICE_FAILED"]);
    assert.ok(coupons() >= 4 && coupons() <= 6, `${coupons()}`);
    assert.equal(calls.filter(({ name }) => name === "lookupPrices").length, 1, "what is known is not asked again");
    basket.setCoupons([]);
    assert.deepEqual([basket.status, basket.error], ["current", null]);
  });

  test("a failure that is no longer needed is no problem any more, and nothing is asked for it", async () => {
    const { basket, calls } = await autoShop({ order: { ...orderOf(product()), shipping: DRY }, fails: closed(["nationwideRate"]) });
    await pass(FIRST + 100);
    assert.equal(basket.error.code, "NATIONWIDE_RATE_FAILED");
    basket.setShipping(null);
    assert.deepEqual([basket.status, basket.error], ["current", null]);
    await pass(30_000);
    assert.equal(calls.filter(({ name }) => name === "nationwideRate").length, 1);
  });

  function assertTimes(calls, from, expected) {
    assert.deepEqual(calls.map(({ at }) => at - from).length, expected.length, `${calls.map(({ at }) => at - from)}`);
    calls.forEach(({ at }, index) => assert.ok(Math.abs(at - from - expected[index]) <= 2 * STEP * (index + 1), `${calls.map((call) => call.at - from)}, expected ${expected}`));
  }
});

suite("a Node process that has only a basket ends", () => {
  const programs = {
    "while the debounce runs": `basketOf({ lookupPrices: () => [{ price: 1 }] }, { debounceMs: 60_000 });`,
    "during the backoff": `
      basketOf({ lookupPrices: () => { throw new Error("closed"); } }, { debounceMs: 1 });
      await new Promise((resolve) => setTimeout(resolve, 50));`,
    "settled": `
      basketOf({ lookupPrices: () => [{ price: 1 }] }, true);
      await new Promise((resolve) => setTimeout(resolve, 300));`,
  };
  for (const [when, program] of Object.entries(programs)) {
    test(when, () => {
      const whole = `
        import { createPricer } from "order-cost";
        const order = { productList: [{ cprcode: 1, productName: "", quantity: 1 }] };
        const basketOf = async (host, autoSettle) => (globalThis.basket = (await createPricer(host)).basket(order, { autoSettle }));
        process.on("exit", () => console.log(globalThis.basket.status, Math.round(performance.now() - last)));
        let last = performance.now();
        ${program.replace("basketOf(", "await basketOf(")}
        last = performance.now();
      `;
      const { stdout, stderr, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", whole], { cwd: new URL("..", import.meta.url), encoding: "utf8", timeout: 20_000 });
      assert.deepEqual([stderr, signal], ["", null]);
      const [, status, ms] = stdout.match(/^(\w+) (\d+)/);
      assert.equal(status, { "while the debounce runs": "pending", "during the backoff": "failed", settled: "current" }[when]);
      assert.ok(Number(ms) < 500, `${ms} ms after the last line`);
    });
  }
});

for (const isFaulty of [false, true]) {
  test(`${SEQUENCES} random baskets from seed ${SEED} that settle by themselves${isFaulty ? ", with a faulty host" : ""}`, async (context) => {
    const counts = {};
    const failures = [];
    for (let seed = SEED; seed < SEED + SEQUENCES && failures.length < 3; seed += 1) {
      const life = new SettlingLife(seed, isFaulty, counts);
      try {
        await life.live();
      } catch (error) {
        failures.push(`seed ${seed}, after ${life.now} ms: ${error.stack}\n  ${life.log.slice(-25).join("\n  ")}`);
      }
    }
    for (const [what, count] of Object.entries(counts).sort()) context.diagnostic(`${String(count).padStart(6)} ${what}`);
    assert.deepEqual(failures, []);
    for (const what of ["aborted calls", "asked: validateCoupons", "explicit settles", "at rest"]) assert.ok(counts[what] > SEQUENCES / 10, `${what}: ${counts[what]}`);
  });
}

const MOST_LATENCY = 700;

/**
 * Random edits at random times of a basket with autoSettle. The naive basket says what there is to ask: what is not
 * out, must be asked at once unless the debounce runs, and nothing else may be asked at any time. Edits and explicit
 * settles come at even milliseconds and answers at odd ones, so that none coincides with the end of a debounce.
 */
class SettlingLife {
  log = [];
  #out = new Set(); // { name, call, signal, due }
  #failedRounds = 0; // one after the other, since the last explicit settle
  #backoffEnd = 0;
  #hasFailed = false;
  #hasRoundFailed = false;
  #debounceEnd = 0;
  #isDebounceUnclear = false; // the last edit left nothing pending
  #settles = 0; // explicit ones that wait

  constructor(seed, isFaulty, counts) {
    this.random = randomFrom(seed + 77_000);
    this.isFaulty = isFaulty;
    this.counts = counts;
    this.world = new World(this.random, false);
    this.begin = Date.now();
  }

  get now() {
    return Date.now() - this.begin;
  }

  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  say(what) {
    this.log.push(`${this.now}: ${what}`);
  }

  async live() {
    const { random } = this;
    const order = { productList: random.times(random.integer(0, 3), () => draftProduct(random, false)) };
    if (random.chance(0.6)) order.couponCodeList = ["A", "B"];
    const host = Object.fromEntries(LOOKUPS.map((name) => [name, (argument, ctx) => this.#called(name, argument, ctx)]));
    const options = { deliveryZones: TEST_ZONES, deadlineMs: 0 };
    this.pricer = await createPricer(host, options);
    this.naive = new NaiveBasket(order, { zones: TEST_ZONES });
    this.basket = this.pricer.basket(order, { autoSettle: { debounceMs: DEBOUNCE } });
    this.#edited(this.naive.shown.pending.length > 0);
    for (let steps = random.integer(4, 14); steps > 0; steps -= 1) {
      const wait = random.weighted([[3, random.integer(0, 40)], [4, random.integer(40, 200)], [2, random.integer(200, 900)]]);
      await this.#pass(2 * Math.ceil(wait / 2));
      if (random.chance(0.85)) this.#edit();
      else this.#settle();
      await this.#rest();
    }
    await this.#end();
    this.basket.free();
  }

  /** Lets time pass, from one event to the next. */
  async #pass(ms) {
    const end = this.now + ms;
    while (this.now < end) {
      const times = [...this.#out].map(({ due }) => due).concat(this.#debounceEnd, end, this.now + 100);
      const next = Math.min(...times.filter((at) => at > this.now));
      time.tick(Math.min(next, end) - this.now);
      await this.#rest();
    }
  }

  async #rest() {
    await idle();
    this.#check();
  }

  #edit() {
    const { naive } = this;
    const edit = draftEdit(this.random, { lines: naive.order.productList.length, isHuge: false, order: naive.order });
    this.say(`${edit.name} ${JSON.stringify(edit.argument)}`);
    if (edit.name === "refresh" && edit.argument.length === 0) this.world.epoch += 1;
    const before = this.basket.snapshot;
    naive.apply(edit.name, edit.argument);
    this.basket[edit.name](...edit.argument);
    if (this.basket.snapshot !== before || edit.name === "refresh") this.#edited(naive.shown.pending.length > 0 || naive.shown.status === "failed");
    this.#checkAborts();
  }

  #edited(leavesSomething) {
    this.#hasRoundFailed = false; // an edit before the round has ended is followed by the next round, not by a pause
    if (leavesSomething) this.#debounceEnd = this.now + DEBOUNCE;
    this.#isDebounceUnclear = !leavesSomething;
  }

  get #isDebouncing() {
    return this.now < this.#debounceEnd;
  }

  #settle() {
    this.say("settle");
    this.count("explicit settles");
    this.#debounceEnd = this.now;
    this.#backoffEnd = 0;
    this.#failedRounds = 0;
    this.#settles += 1;
    const over = () => {
      this.#settles -= 1;
    };
    this.basket.settle().then(over, (error) => {
      over();
      if (!(error instanceof PricingError)) this.fault ??= error;
    });
  }

  #called(name, argument, ctx) {
    this.say(`asked ${name} ${JSON.stringify(name === "validateCoupons" ? argument.couponCodeList : argument)}`);
    this.count(`asked: ${name}`);
    try {
      this.#assertIsToAsk(name, argument);
    } catch (error) {
      this.fault ??= error;
    }
    const { random } = this;
    // Odd, and not twice the same.
    let due = this.now + random.integer(1, MOST_LATENCY);
    while (due % 2 === 0 || [...this.#out].some((one) => one.due === due)) due += 1;
    const entry = { name, due, signal: ctx.signal, call: this.naive.asked(name, argument) };
    const outcome = this.#outcome(name, argument);
    this.#out.add(entry);
    return after(due - this.now, () => {
      this.#out.delete(entry);
      if (ctx.signal.aborted) {
        this.naive.aborted(entry.call);
        return undefined;
      }
      this.say(`${outcome.error === undefined ? "answers" : "fails"}: ${name}`);
      if (outcome.error !== undefined) {
        this.#hasFailed = true;
        this.naive.failed(entry.call, outcome.error);
        this.#hasRoundFailed = true;
        throw new Error(outcome.error);
      }
      this.naive.answered(entry.call, outcome.answer);
      return outcome.answer;
    });
  }

  /** A round that ends with a retryable failure is followed by a wait, four of them by none. */
  #roundOver() {
    if (!this.#hasRoundFailed || this.#out.size > 0) return;
    this.#hasRoundFailed = false;
    if (!this.naive.shown.problems.some(({ retryable }) => retryable)) return;
    this.#failedRounds += 1;
    this.#backoffEnd = this.#failedRounds > BACKOFF.length ? 0 : this.now + BACKOFF[0];
    if (this.#failedRounds > BACKOFF.length) this.#failedRounds = 0;
  }

  #outcome(name, argument) {
    const { random } = this;
    const fault = this.isFaulty && random.chance(0.2) ? random.pick(["rejects", "malformed"]) : "none";
    if (fault !== "none") this.count(`faults: ${fault}`);
    if (fault === "rejects") return { error: `${name} is away` };
    try {
      const answer = this.world.answer(name, argument);
      return { answer: fault === "malformed" ? random.pick(MALFORMED[name](answer))() : answer };
    } catch (error) {
      return { error: error.message };
    }
  }

  #assertIsToAsk(name, argument) {
    const { naive } = this;
    if (this.#settles === 0) assert.ok(this.now >= this.#backoffEnd, `${name} is asked during the backoff, which ends at ${this.#backoffEnd}`);
    assert.ok(naive.order.productList.length > 0, "an empty basket asks");
    if (name === "validateCoupons") {
      assert.equal(this.#isDebouncing && !this.#isDebounceUnclear, false, "coupons are asked while the debounce runs");
      assert.equal(JSON.stringify(argument), naive.shown.request, "the request");
      assert.ok(naive.shown.isReadyForCoupons, "coupons are asked before the rest has answered, or after a failure");
      assert.ok(naive.couponsToAsk !== undefined, "the request is known");
      assert.equal([...this.#out].some((one) => one.name === name && !one.signal.aborted), false, "asked twice at the same time");
      return;
    }
    const mayBeEarly = this.#settles > 0 || this.#hasFailed; // somebody waits, or it is the end of a pause
    if (!mayBeEarly) assert.equal(this.#isDebouncing && !this.#isDebounceUnclear, false, `${name} is asked while the debounce runs`);
    const keys = keysOf(name, argument);
    const { prices, rates, vouchers } = naive.toAsk;
    const toAsk = { lookupPrices: prices, nationwideRate: rates, lookupVouchers: vouchers }[name];
    for (const key of keys) {
      assert.ok(toAsk.includes(key), `${key} is known, out or not needed`);
    }
    assert.deepEqual(new Set(keys).size, keys.length, "a key is asked twice");
  }

  /** Exactly the calls that are of no use any more are aborted. */
  #checkAborts() {
    for (const entry of this.#out) {
      const { name, call, signal } = entry;
      assert.equal(signal.aborted, this.naive.isUseless(call), `${name} ${call.keys}: ${signal.aborted ? "aborted" : "runs on"}`);
      if (!signal.aborted) continue;
      this.count("aborted calls");
      this.naive.aborted(call);
      this.#out.delete(entry);
    }
  }

  #check() {
    const { basket, naive } = this;
    if (this.fault) throw this.fault;
    this.#checkAborts();
    this.#roundOver();
    assertShows(basket.snapshot, naive.shown);
    assert.equal(basket.snapshot.isSettling, this.#out.size > 0, "isSettling");
    if (this.#isDebouncing || this.#isDebounceUnclear || this.isFaulty || this.#hasFailed) return;
    const { prices, rates, vouchers } = naive.toAsk;
    assert.deepEqual([...prices, ...rates, ...vouchers], [], "not asked, and no debounce runs");
    const isOut = [...this.#out].some(({ name }) => name === "validateCoupons");
    if (naive.shown.isReadyForCoupons) assert.equal(naive.couponsToAsk === undefined || isOut, true, "coupons are not asked");
  }

  async #end() {
    this.say("the last edit was");
    await this.#pass(DEBOUNCE + 3 * (MOST_LATENCY + 20));
    if (this.isFaulty || this.#hasFailed) await this.#pass(7000 + 12 * MOST_LATENCY);
    const asked = this.log.length;
    await this.#pass(10_000);
    assert.equal(this.log.length, asked, "at rest nothing is asked");
    assert.equal(this.#out.size, 0);
    this.count("at rest");
    if (!this.isFaulty && !this.#hasFailed) assert.deepEqual(this.basket.pending.filter((part) => part !== "coupons" || this.basket.error === null), []);
  }
}
