// A basket settles by itself while customers edit it, any services are down for any time, and answers take any time. A
// naive model says when each key may and must be asked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { keysOf } from "../model/basket.js";
import { randomFrom } from "../model/generator/random.js";
import { LOOKUPS, World } from "../model/generator/world.js";
import fc, { allAtNight, cases, SEED } from "../property.js";
import { assertCurrent, DRY, orderOf, product, turn } from "./basket-shop.js";
import { fakeTime } from "./fake-time.js";

const DEBOUNCE_MS = 150;
const DEADLINE_MS = 5_000;
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
const COUPONS = "validateCoupons";
/** Longer than the last pause, what it asks, and the coupons after that. */
const HEALED_MS = 45_000;
/** No two things happen at once: each has a fraction of a millisecond of its own. */
const MOMENT_MS = 1 / 4096;

/** When a basket may and must ask, from what its order names and how its calls end. */
class Model {
  #needs = {};
  #known = new Set();
  #out = new Set();
  /** By look-up: the keys whose last call failed, and the pause: how many there were, and when the running one ends. */
  #failed = Object.fromEntries(LOOKUPS.map((name) => [name, new Set()]));
  #pauses = Object.fromEntries(LOOKUPS.map((name) => [name, { tries: 0, end: undefined }]));
  /** When the pause after the last edit ends. */
  #due = DEBOUNCE_MS;
  #askedAt = new Map();

  constructor(longer) {
    this.longer = longer;
  }

  /** An edit that leaves nothing open has no debounce. */
  edited({ order, pending, snapshot: { blocked } }, now) {
    this.#needs = needsOf(order);
    this.#due = pending.length + blocked.length > 0 ? now + DEBOUNCE_MS : now;
    for (const name of LOOKUPS) if (name !== COUPONS) this.#drop(name);
  }

  #drop(name) {
    const failed = this.#failed[name];
    for (const key of failed) if (!this.#needs[name].has(key)) failed.delete(key);
    if (failed.size === 0) this.#pauses[name] = { tries: 0, end: undefined };
  }

  #isOut(name, key) {
    return [...this.#out].some((call) => call.name === name && call.keys.includes(key));
  }

  /** The keys that were never asked. */
  get #open() {
    return Object.entries(this.#needs).flatMap(([name, keys]) =>
      [...keys].filter((key) => !this.#known.has(key) && !this.#failed[name].has(key) && !this.#isOut(name, key)),
    );
  }

  /** The failed keys without a call under way. */
  #resting(name) {
    return [...this.#failed[name]].filter((key) => !this.#isOut(name, key));
  }

  asked(call, now) {
    const { name, keys } = call;
    const { end } = this.#pauses[name];
    if (name === COUPONS) {
      assert.ok(end === undefined || now >= end, "coupons are asked in their pause");
      assert.ok(now >= this.#due, "coupons are asked while a customer edits");
    } else {
      const isPauseOver = Object.values(this.#pauses).some((pause) => pause.end === now);
      assert.ok(isPauseOver || now >= this.#due, `${name} is asked while a customer edits`);
      for (const key of keys)
        assert.ok(this.#needs[name].has(key) && !this.#known.has(key) && !this.#isOut(name, key), `${key} is known, out or not needed`);
      const again = keys.filter((key) => this.#failed[name].has(key));
      if (again.length > 0) assert.equal(now, end, `${again} is asked again at another time than the end of the pause`);
      if (name !== "nationwideRate") {
        assert.notEqual(this.#askedAt.get(name), now, `${name} is asked twice at once`);
        if (again.length > 0) assert.deepEqual([...again].sort(), this.#resting(name).sort(), "all failed keys are asked in one call");
      }
    }
    this.#askedAt.set(name, now);
    this.#out.add(call);
  }

  ended(call, outcome, now) {
    if (!this.#out.delete(call) || outcome === "aborted") return;
    const { name, keys } = call;
    const failed = this.#failed[name];
    const pause = this.#pauses[name];
    if (outcome === "answered") {
      for (const key of keys) this.#known.add(key), failed.delete(key);
      if (failed.size === 0) this.#pauses[name] = { tries: 0, end: undefined };
      return;
    }
    for (const key of keys) if (this.#needs[name].has(key)) failed.add(key);
    if (pause.end !== undefined || (name !== COUPONS && failed.size === 0)) return;
    pause.end = now + PAUSES_MS[Math.min(pause.tries, PAUSES_MS.length - 1)] * this.longer;
    pause.tries += 1;
  }

  /** What must have happened by now. */
  check(basket, now) {
    if (now >= this.#due) assert.deepEqual(this.#open, [], "needed, and not asked one debounce after the edit");
    for (const [name, pause] of Object.entries(this.#pauses)) {
      if (pause.end <= now) {
        assert.deepEqual(this.#resting(name), [], `${name} is not asked again when its pause ends`);
        pause.end = undefined;
      }
    }
    const areCouponsFine =
      ![...basket.pending, ...basket.snapshot.blocked].includes("coupons") &&
      !basket.problems.some(({ subject }) => subject.lookup === COUPONS);
    const { end } = this.#pauses[COUPONS];
    if (areCouponsFine && end === undefined) this.#pauses[COUPONS].tries = 0;
  }
}

function needsOf({ productList, voucherId = [], shipping }) {
  const prices = productList.map(({ cprcode }) => `${cprcode}/1000`);
  const rates = (shipping?.scheduleList ?? []).map(({ nationwideMode }) => `${nationwideMode}/10110`);
  return { lookupPrices: new Set(prices), nationwideRate: new Set(rates), lookupVouchers: new Set(voucherId) };
}

const index = fc.nat({ max: 1_000 });
const latency = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 5, max: 300 }) },
  fc.integer({ min: 300, max: 4_000 }),
  fc.constant(DEADLINE_MS + 1_000),
);
const edit = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant("addProduct") }) },
  fc.record({ what: fc.constant("addProductAgain"), index }),
  fc.record({ what: fc.constant("setQuantity"), index }),
  fc.record({ what: fc.constant("removeProduct"), index }),
  fc.record({ what: fc.constant("setVouchers"), ids: fc.subarray(["V1", "V2", "V3"]) }),
  fc.record({ what: fc.constant("setShipping"), modes: fc.subarray(["DRY", "FRESH"]) }),
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant("outage"),
      of: fc.subarray(LOOKUPS, { minLength: 1 }),
      ms: fc.constantFrom(100, 1_000, 5_000, 20_000, 70_000),
    }),
  },
);
const wait = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 200 }) },
  fc.integer({ min: 0, max: 2_000 }),
  fc.integer({ min: 0, max: 20_000 }),
);
const life = fc.record({
  steps: fc.array(fc.tuple(edit, wait), { minLength: 1, maxLength: 40, size: "max" }),
  latencies: fc.array(latency, { minLength: 1, maxLength: 10 }),
  random: fc.constantFrom(0, 0.3, 1),
  hasCoupons: fc.boolean(),
});

class Shop {
  #time;
  #downUntil = Object.fromEntries(LOOKUPS.map((name) => [name, 0]));
  #moments = 0;
  #last = 1_000;
  #fault;
  calls = [];

  constructor({ latencies, random, hasCoupons, world = new World(randomFrom(7), false) }) {
    this.#time = fakeTime({ random });
    this.latencies = latencies;
    this.world = world;
    this.model = new Model(1 + 0.2 * random);
    this.order = { ...orderOf(product(1_000)), ...(hasCoupons && { couponCodeList: ["A", "B"] }) };
  }

  async open() {
    const host = Object.fromEntries(LOOKUPS.map((name) => [name, (argument, { signal }) => this.#asked(name, argument, signal)]));
    this.pricer = await createPricer(host, { deadlineMs: DEADLINE_MS });
    this.basket = this.pricer.basket(this.order, { autoSettle: true });
    this.basket.subscribe(() => {});
    this.model.edited(this.basket, this.now);
  }

  close() {
    this.basket?.free();
    this.#time.restore();
  }

  get now() {
    return this.#time.now;
  }

  get #moment() {
    return (this.#moments += 1) * MOMENT_MS;
  }

  #check(run) {
    try {
      run();
    } catch (error) {
      this.#fault ??= error;
    }
  }

  #asked(name, argument, signal) {
    const call = { name, keys: keysOf(name, argument), at: this.now };
    const ms = this.latencies[this.calls.length % this.latencies.length] + this.#moment;
    this.calls.push(call);
    this.#check(() => this.model.asked(call, this.now));
    const isDown = this.#downUntil[name] > this.now;
    const ended = (outcome) => this.#check(() => this.model.ended(call, outcome, this.now));
    signal.addEventListener("abort", () => ended(signal.reason.name === "TimeoutError" ? "late" : "aborted"));
    return new Promise((resolve, reject) => {
      setTimeout(() => {
        ended(isDown ? "failed" : "answered");
        if (isDown) reject(new Error("closed"));
        else resolve(this.world.answer(name, argument));
      }, ms);
    });
  }

  /** Lets time pass, timer by timer. */
  async pass(ms) {
    const end = this.now + ms + this.#moment;
    do {
      const next = Math.min(end, ...this.#time.waiting().map(({ at }) => at));
      this.#time.tickTo(next);
      await turn();
      await turn();
      if (this.#fault) throw this.#fault;
      this.model.check(this.basket, this.now);
    } while (this.now < end);
  }

  edit({ what, index: place = 0, ids, modes, of, ms }) {
    const { basket } = this;
    const { rows, snapshot } = basket;
    const line = place % rows.length;
    if (what === "outage") for (const name of of) this.#downUntil[name] = Math.max(this.#downUntil[name], this.now + ms);
    if (what === "addProduct") basket.addProduct(product((this.#last += 1)));
    if (what === "addProductAgain") basket.addProduct(product(rows[line].cprcode));
    if (what === "setQuantity") basket.setQuantity(line, rows[line].quantity + 1);
    if (what === "removeProduct" && rows.length > 1) basket.removeProduct(line);
    if (what === "setVouchers") basket.setVouchers(ids);
    if (what === "setShipping")
      basket.setShipping(
        modes.length === 0 ? null : { ...DRY, scheduleList: modes.map((nationwideMode) => ({ mode: "NATIONWIDE", nationwideMode })) },
      );
    if (basket.order !== snapshot.order) this.model.edited(basket, this.now);
  }

  /** All services are up, and answer within their deadlines: what has failed heals by itself. */
  async heal() {
    this.latencies = [20];
    await this.pass(Math.max(this.now, ...Object.values(this.#downUntil)) - this.now + HEALED_MS);
    await assertCurrent(this.basket, await createPricer(this.world.host));
    assert.equal(this.basket.isSettling, false);
  }
}

async function inShop(options, run) {
  const shop = new Shop(options);
  try {
    await shop.open();
    await run(shop);
  } finally {
    shop.close();
  }
}

const LIVES = allAtNight(60, cases(150));

test(`${LIVES} random lives from seed ${SEED}: each key is asked when the model says so, and at last everything is known`, async (context) => {
  let calls = 0;
  let again = 0;
  const property = fc.asyncProperty(life, ({ steps, ...options }) =>
    inShop(options, async (shop) => {
      for (const [one, ms] of steps) {
        shop.edit(one);
        await shop.pass(ms);
      }
      await shop.heal();
      calls += shop.calls.length;
      const asked = shop.calls.flatMap(({ keys }) => keys);
      again += asked.length - new Set(asked).size;
    }),
  );
  await fc.assert(property, { numRuns: LIVES, includeErrorInReport: true });
  context.diagnostic(`${calls} calls; ${again} keys asked again`);
  assert.ok(again > LIVES, "failures");
});

const GIVEN = { latencies: [20], random: 0, hasCoupons: true };

test("200 products added in an outage: each is asked once by itself, and all in one call at the end of each pause", () =>
  inShop(GIVEN, async (shop) => {
    shop.edit({ what: "outage", of: ["lookupPrices"], ms: 70_000 });
    for (let count = 0; count < 200; count += 1) {
      shop.edit({ what: "addProduct" });
      await shop.pass(DEBOUNCE_MS + 5);
    }
    await shop.pass(60_000 - shop.now);
    const prices = shop.calls.filter(({ name }) => name === "lookupPrices");
    assert.ok(prices.length <= 200 + PAUSES_MS.length, `${prices.length} calls`);
    assert.equal(prices.at(-1).keys.length, 201);
    await shop.heal();
  }));

for (const of of [...LOOKUPS.map((name) => [name]), LOOKUPS]) {
  test(`an outage of 20 s heals by itself: ${of.length === 1 ? of : "of everything"}`, () =>
    inShop(GIVEN, async (shop) => {
      shop.edit({ what: "outage", of, ms: 20_000 });
      shop.edit({ what: "setVouchers", ids: ["V1"] });
      shop.edit({ what: "setShipping", modes: ["DRY"] });
      await shop.pass(19_000);
      assert.equal(shop.basket.status, "failed");
      await shop.pass(14_000);
      assert.equal(shop.basket.status, "current");
      await shop.heal();
    }));
}
