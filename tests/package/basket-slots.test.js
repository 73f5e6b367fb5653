// Deliveries that a page shows beside each other: what each costs, what is asked for them, and that the order goes on alone.
import assert from "node:assert/strict";
import { afterEach, beforeEach, suite, test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { decimalText, parseDecimal, sum } from "../model/decimal.js";
import { draftShipping } from "../model/generator/draft.js";
import { anyPolicy } from "../model/generator/policy.js";
import { randomFrom } from "../model/generator/random.js";
import { writeJson } from "../model/generator/text.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import fc, { cases } from "../property.js";
import { deliveredBy, squareZones } from "../zones.js";
import { assertFrozen, assertShared } from "./basket-shared.js";
import { answerNext, breakModule, callsOf, DRY, FACTS, open, orderOf, product, slowHost, turn } from "./basket-shop.js";
import { errorOf, thrown } from "./errors.js";
import { fakeTime } from "./fake-time.js";

const byPost = (nationwideMode, rest) => ({ shippingType: "DELIVERY", scheduleList: [{ nationwideMode }], ...rest });
const FRESH = byPost("FRESH");
const EXPRESS = deliveredBy("EXPRESS", "REGULAR");
const PICKUP = { shippingType: "PICKUP" };

const costs = ({ slots }) => slots.map(({ cost }) => cost);
const rate = (nationwideMode, shippingPostcode = "10110") => ["nationwideRate", { shippingPostcode, nationwideMode }];
const closed = () => {
  throw new Error("closed");
};

suite("what a slot shows", () => {
  test("its delivery with its fees, and what that costs", async () => {
    const { basket, pricer } = await open({ order: orderOf(product()), deliveryZones: squareZones(30) });
    const slots = [DRY, FRESH, EXPRESS, PICKUP, { shippingType: "DELIVERY" }];
    basket.setSlots(slots);
    assert.deepEqual(costs(basket), [null, null, 110, 0, 0]);
    assert.equal(basket.slots[0].shipping.scheduleList[0].deliveryFee, null);
    await basket.settle();
    assert.deepEqual(costs(basket), [60, 90, 110, 0, 0]);
    for (const [index, shipping] of slots.entries()) {
      const priced = await pricer.calculate({ ...basket.order, shipping });
      assert.deepEqual(basket.slots[index].shipping, priced.shipping);
    }
    assert.equal(basket.shipping, null);
    assert.equal(basket.slots, basket.snapshot.slots);
  });

  test("whatever its schedules and the policy are, what calculate says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const random = randomFrom(seed);
        const rate = () => ({ deliveryFee: random.integer(0, 20_000) / 100 });
        const rates = { DRY: rate(), FRESH: rate(), MIX: { ...rate(), nationwideConfig: "mixed" } };
        const host = hostFromFacts({ prices: { 1001: { price: 1 } }, rates });
        const pricer = await createPricer(host, { deliveryZones: TEST_ZONES, policy: anyPolicy(random) });
        const draft = () => draftShipping(random, random.pick(["DELIVERY", "DELIVERY", "PICKUP"]));
        const slots = JSON.parse(JSON.stringify(JSON.parse(writeJson(random.times(3, draft), random)))); // without infinities
        const basket = pricer.basket();
        basket.setSlots(slots);
        await errorOf(basket.settle());
        for (const [index, shipping] of slots.entries()) {
          const priced = await pricer.calculate({ ...orderOf(product()), shipping });
          assert.deepEqual(basket.slots[index].shipping, priced.shipping);
          const parts = [priced.deliveryFee, priced.expressShippingCost].map((amount) => parseDecimal(`${amount}`));
          assert.equal(basket.slots[index].cost, Number(decimalText(sum(parts))));
        }
        basket.free();
      }),
      { numRuns: cases(60) },
    );
  });

  test("what is wrong with it, and the order is none the wiser", async () => {
    const { basket, pricer } = await open({ order: orderOf(product()), deliveryZones: squareZones(30) });
    const slots = [byPost("MIX"), { ...deliveredBy("REGULAR"), brcode: 7 }, DRY];
    basket.setSlots(slots);
    assert.equal((await basket.settle()).grandTotal, 100);
    assert.deepEqual([costs(basket), basket.status, basket.problems, basket.pending], [[null, null, 60], "current", [], []]);
    for (const [index, shipping] of slots.slice(0, 2).entries()) {
      const error = await errorOf(pricer.calculate({ ...basket.order, shipping }));
      const { problem } = basket.slots[index];
      assert.deepEqual([problem.code, problem.message, problem.subject], [error.code, error.message, error.subject]);
    }
    assert.equal(basket.slots[2].problem, null);
  });

  test("a sum that no amount can hold", async () => {
    const facts = { ...FACTS, rates: { DRY: { deliveryFee: "79228162514264337593543950335" } } };
    const scheduleList = [{ mode: "NATIONWIDE" }, { mode: "NATIONWIDE" }];
    const { basket, pricer } = await open({ order: orderOf(product()), host: hostFromFacts(facts) });
    basket.setSlots([{ shippingType: "DELIVERY", scheduleList }]);
    await basket.settle();
    const error = await errorOf(pricer.calculate({ ...basket.order, shipping: { shippingType: "DELIVERY", scheduleList } }));
    assert.deepEqual([costs(basket), basket.slots[0].problem.message], [[null], error.message]);
  });

  test("it is frozen, and stays the same while it is equal", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    basket.setSlots([DRY, FRESH, byPost("MIX")]);
    const snapshots = [basket.snapshot];
    basket.subscribe((snapshot) => snapshots.push(snapshot));
    await basket.settle();
    basket.setQuantity(0, 2);
    basket.setSlots([DRY, byPost("FRESH", { shippingPhone: "1" })]);
    basket.refresh();
    await basket.settle();
    for (const [index, snapshot] of snapshots.entries()) {
      assertFrozen(snapshot);
      if (index > 0) assertShared(snapshots[index - 1], snapshot, "snapshot");
    }
  });
});

suite("setSlots()", () => {
  test("a wrong value names its place, and changes nothing", async () => {
    const { basket } = await open({ order: orderOf(product()), limits: { maxSchedules: 2 } });
    basket.setSlots([DRY, FRESH]);
    const { snapshot } = basket;
    const wrong = [
      [[DRY, { shippingType: "BY BOAT" }], "VALIDATION_ERROR", "slots[1].shippingType"],
      [[{ scheduleList: [{ mode: 1 }] }], "VALIDATION_ERROR", "slots[0].scheduleList[0].mode"],
      [[{ brcode: Number.NaN }], "VALIDATION_ERROR", "slots[0].brcode"],
      [[DRY, null], "VALIDATION_ERROR", "slots[1]"],
      [[DRY, undefined], "VALIDATION_ERROR", "slots[1]"],
      [[new Map([["shippingType", "PICKUP"]])], "VALIDATION_ERROR", "slots[0]"],
      [[{ scheduleList: [{}, new Map([["mode", "PICKUP"]])] }], "VALIDATION_ERROR", "slots[0].scheduleList[1]"],
      [[DRY, DRY, DRY], "LIMIT_EXCEEDED", undefined],
      ...[undefined, null, 1, "slots", {}].map((slots) => [slots, "VALIDATION_ERROR", "slots"]),
    ];
    for (const [slots, code, path] of wrong) {
      const error = thrown(() => basket.setSlots(slots));
      assert.deepEqual([error.code, error.path], [code, path], error.message);
      assert.equal(basket.snapshot, snapshot);
    }
    assert.equal(
      thrown(() => basket.setSlots([{ shippingType: 1 }]))
        .message.split(": ")
        .slice(0, 2)
        .join(),
      "Invalid order,slots[0].shippingType",
    );
  });

  test("what counts already changes nothing, and [] clears", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    assert.equal(basket.setSlots([DRY]), basket.totals);
    const { snapshot } = basket;
    basket.setSlots([{ ...DRY, shippingPostcode: "10110", unknown: 1 }]);
    assert.equal(basket.snapshot, snapshot);
    basket.setSlots([]);
    assert.deepEqual(basket.slots, []);
  });

  test("they are no part of the order, and stay over its edits", async () => {
    const { basket } = await open({ order: orderOf(product()) });
    basket.setSlots([DRY]);
    await basket.settle();
    const { order, slots } = basket;
    basket.setShipping(FRESH);
    basket.replace(orderOf(product(1002)));
    assert.deepEqual([basket.slots === slots, "slots" in basket.order, order.shipping], [true, false, undefined]);
  });

  test("a lenient pricer reads them as it reads orders", async () => {
    const { basket, pricer } = await open({ input: "lenient" });
    const slots = [{ shippingType: "delivery", scheduleList: [{ nationwideMode: "fresh", booking_hour: "7" }] }];
    basket.setSlots(slots);
    await errorOf(basket.settle());
    assert.deepEqual([costs(basket), basket.slots[0].shipping.scheduleList[0].booking_hour], [[90], 7]);
    await breakModule(pricer);
    basket.addProduct(product());
    assert.equal(basket.slots[0].shipping.scheduleList[0].booking_hour, 7);
  });
});

suite("what is asked for slots", () => {
  test("one call for each rate, whatever names it, and none for what is known", async () => {
    const { basket, host } = await open({ order: { ...orderOf(product()), shipping: DRY } });
    basket.setSlots([DRY, FRESH, { ...FRESH, shippingFirstName: "Malee" }, byPost("DRY", { shippingPostcode: "50000" })]);
    await basket.settle();
    assert.deepEqual(callsOf(host), [
      ["lookupPrices", [{ cprcode: 1001, branchId: "1000" }]],
      rate("DRY"),
      rate("FRESH"),
      rate("DRY", "50000"),
    ]);
    basket.setSlots([FRESH, DRY]);
    assert.deepEqual([costs(basket), basket.isSettling], [[90, 60], false]);
    basket.addProduct(product(1002));
    await basket.settle();
    assert.deepEqual(callsOf(host), [["lookupPrices", [{ cprcode: 1002, branchId: "1000" }]]]);
    basket.setShipping(FRESH);
    assert.equal(basket.status, "current");
  });

  test("an empty basket asks for them, and its settle() rejects afterwards", async () => {
    const { basket, host } = await open();
    basket.setSlots([DRY]);
    assert.deepEqual([basket.status, basket.pending], ["current", []]);
    const error = await errorOf(basket.settle());
    assert.deepEqual([error.code, error.path, costs(basket)], ["VALIDATION_ERROR", "productList", [60]]);
    assert.deepEqual(callsOf(host), [rate("DRY")]);
  });

  test("the calls that no slot needs any more are dropped", async () => {
    const host = slowHost();
    const { basket } = await open({ host });
    basket.setSlots([DRY, FRESH]);
    const settled = errorOf(basket.settle());
    basket.setSlots([FRESH]);
    const [dry, fresh] = host.asked.nationwideRate;
    assert.deepEqual([dry.context.signal.aborted, fresh.context.signal.aborted], [true, false]);
    fresh.answer();
    await settled;
    assert.deepEqual(costs(basket), [90]);
  });

  test("coupons do not wait for slots, and settle() does", async () => {
    const host = slowHost();
    const { basket } = await open({ order: { ...orderOf(product()), couponCodeList: ["A"] }, host });
    basket.setSlots([DRY]);
    const settled = basket.settle();
    await answerNext(host, "lookupPrices");
    await answerNext(host, "validateCoupons");
    assert.deepEqual([basket.status, basket.isSettling], ["current", true]);
    await answerNext(host, "nationwideRate");
    assert.deepEqual([(await settled).grandTotal, costs(basket), basket.isSettling], [90, [60], false]);
  });

  test("two baskets of a store ask once", async () => {
    const { pricer, host } = await open();
    const facts = pricer.facts();
    const baskets = [pricer.basket(orderOf(product()), { facts }), pricer.basket(undefined, { facts })];
    for (const basket of baskets) basket.setSlots([DRY]);
    await Promise.allSettled(baskets.map((basket) => basket.settle()));
    assert.deepEqual([baskets.map(costs), callsOf(host).length], [[[60], [60]], 2]);
    assert.deepEqual(facts.toJSON().rates, { "10110/DRY": '{"deliveryFee":60}' });
  });

  test("refresh() asks for them again, and the old cost counts until the answer", async () => {
    const rates = { DRY: { deliveryFee: 60 } };
    const { basket, host } = await open({ host: hostFromFacts({ ...FACTS, rates }) });
    basket.setSlots([DRY]);
    await errorOf(basket.settle());
    rates.DRY = { deliveryFee: 61 };
    basket.refresh();
    assert.deepEqual(costs(basket), [60]);
    await errorOf(basket.settle());
    assert.deepEqual([costs(basket), callsOf(host).length], [[61], 2]);
  });

  test("zones that are not known are asked for, once", async () => {
    let calls = 0;
    const deliveryZones = async () => ((calls += 1), squareZones(30));
    const { basket } = await open({ order: { ...orderOf(product()), shipping: deliveredBy("REGULAR") }, deliveryZones });
    basket.setSlots([EXPRESS, deliveredBy("REGULAR")]);
    assert.deepEqual(costs(basket), [null, null]);
    await basket.settle();
    assert.deepEqual([costs(basket), calls], [[110, 30], 1]);
  });

  test("new zones count for them at once", async () => {
    const { basket, pricer } = await open({ deliveryZones: squareZones(30) });
    basket.setSlots([EXPRESS]);
    pricer.setDeliveryZones(squareZones(35));
    assert.deepEqual(costs(basket), [120]);
    pricer.setDeliveryZones(squareZones(35, 2000));
    assert.deepEqual([costs(basket), basket.slots[0].problem.code], [[null], "BRANCH_NOT_AVAILABLE"]);
  });

  test("a basket whose module was replaced has its slots, and asks again", async () => {
    const { basket, pricer, host } = await open({ order: orderOf(product()), deliveryZones: squareZones(30) });
    basket.setSlots([DRY, EXPRESS, byPost("MIX")]);
    await basket.settle();
    await breakModule(pricer);
    callsOf(host);
    basket.setQuantity(0, 2);
    assert.deepEqual([costs(basket), basket.slots[2].problem], [[null, 110, null], null]);
    await basket.settle();
    assert.deepEqual([costs(basket), basket.slots[2].problem.code], [[60, 110, null], "NATIONWIDE_RATE_FAILED"]);
    assert.equal(callsOf(host).length, 3);
  });
});

suite("slots that change while their calls are out", () => {
  let time;
  beforeEach(() => (time = fakeTime()));
  afterEach(() => time.restore());

  const CHIANG_MAI = byPost("DRY", { shippingPostcode: "50000" });
  const LISTS = { none: [], first: [DRY, FRESH], second: [FRESH, CHIANG_MAI], pickup: [PICKUP] };
  const pass = async (ms) => {
    for (const end = time.now + ms; time.now < end; ) {
      time.tickTo(Math.min(end, ...time.waiting().map(({ at }) => at)));
      await turn();
      await turn();
    }
  };
  const answerAll = async (host, name) => {
    for (const { answer } of host.asked[name].splice(0)) answer();
    await turn();
    await turn();
  };

  for (const [what, end] of Object.entries({
    "answers late": (call) => call.answer(),
    fails: (call) => call.reject(new Error("closed")),
    "never answers": () => {},
  })) {
    for (const between of ["none", "second"]) {
      test(`they go (${between}) and come back: what was dropped and ${what} counts nothing`, async () => {
        const host = slowHost();
        const { basket } = await open({ order: orderOf(product()), host });
        basket.setSlots(LISTS.first);
        const settled = basket.settle();
        const dropped = host.asked.nationwideRate.find(({ argument }) => argument.nationwideMode === "DRY");
        basket.setSlots(LISTS[between]);
        basket.addProduct(product(1002));
        assert.equal(dropped.context.signal.aborted, true);
        basket.setSlots(LISTS.first);
        await turn();
        end(dropped);
        await turn();
        assert.deepEqual(
          [costs(basket), basket.slots.map(({ problem }) => problem)],
          [
            [null, null],
            [null, null],
          ],
        );
        const asked = host.asked.nationwideRate.filter(({ context }) => !context.signal.aborted);
        assert.deepEqual(asked.map(({ argument }) => argument.nationwideMode).sort(), ["DRY", "FRESH"]);
        for (const { answer } of asked) answer();
        await answerAll(host, "lookupPrices");
        assert.equal((await settled).grandTotal, 130);
        assert.deepEqual(costs(basket), [60, 90]);
      });
    }
  }

  test("a page sets them whenever every price is known: after each call that never came they are asked again, once", async () => {
    const host = slowHost();
    const { basket } = await open({ order: orderOf(product()), host, autoSettle: true, deadlineMs: 5_000 });
    basket.subscribe(({ rows }) => basket.setSlots(rows.every(({ price }) => price !== null) ? LISTS.first : []));
    await pass(150);
    assert.equal(host.asked.nationwideRate.length, 0);
    await answerAll(host, "lookupPrices");
    await pass(150);
    assert.equal(host.asked.nationwideRate.splice(0).length, 2);
    basket.addProduct(product(1002));
    assert.deepEqual(basket.slots, []);
    await pass(150);
    await answerAll(host, "lookupPrices");
    await pass(150);
    assert.equal(host.asked.nationwideRate.splice(0).length, 2, "in place of those that were dropped");
    await pass(5_000);
    assert.deepEqual(
      basket.slots.map(({ problem }) => problem.code),
      ["NATIONWIDE_RATE_FAILED", "NATIONWIDE_RATE_FAILED"],
    );
    await pass(1_000);
    assert.equal(host.asked.nationwideRate.length, 2);
    await answerAll(host, "nationwideRate");
    assert.deepEqual([costs(basket), basket.status, basket.isSettling], [[60, 90], "current", false]);
    basket.free();
  });

  test("whatever comes when, they end right, and no call is doubled", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), (seed) => anyTurns(randomFrom(seed))),
      { numRuns: cases(60) },
    ));

  /** Edits and answers in any sequence, of a page that sets slots by itself or while every price is known. */
  async function anyTurns(random) {
    const host = slowHost({ ...FACTS, rates: { ...FACTS.rates } });
    const isOut = ({ context }) => !context.signal.aborted;
    const deadlineMs = random.pick([0, 1_000, 5_000]);
    const { basket } = await open({ order: orderOf(product()), host, autoSettle: random.chance(0.7), deadlineMs });
    const isFollowing = random.chance(0.6);
    let wanted = LISTS.first;
    const follow = ({ rows, pending }) => basket.setSlots(rows.length > 0 && !pending.includes("prices") ? wanted : []);
    if (isFollowing) basket.subscribe(follow);
    const calls = () => Object.values(host.asked).flat();
    const checkOnce = () => {
      const rates = host.asked.nationwideRate.filter(isOut).map(({ argument }) => JSON.stringify(argument));
      const prices = host.asked.lookupPrices.filter(isOut).flatMap(({ argument }) => argument.map(({ cprcode }) => cprcode));
      for (const keys of [rates, prices]) assert.equal(new Set(keys).size, keys.length, "a key is asked twice at once");
    };
    const end = (how) => {
      if (calls().length === 0) return;
      const call = random.pick(calls());
      for (const waiting of Object.values(host.asked)) if (waiting.includes(call)) waiting.splice(waiting.indexOf(call), 1);
      how(call);
    };
    let waits = 0;
    const settle = () => {
      waits += 1;
      const over = () => void (waits -= 1);
      basket.settle().then(over, over);
    };
    const acts = {
      slots: () => {
        wanted = LISTS[random.pick(Object.keys(LISTS))];
        if (isFollowing) follow(basket.snapshot);
        else basket.setSlots(wanted);
      },
      add: () => basket.addProduct(product(random.integer(1001, 1003))),
      remove: () => basket.rows.length > 0 && basket.removeProduct(0),
      refresh: () => basket.refresh(),
      settle,
      answer: () => end(({ answer }) => answer()),
      fail: () => end(({ reject }) => reject(new Error("closed"))),
      pass: () => pass(random.pick([1, 150, 1_000, 5_001])),
    };
    for (let count = random.integer(3, 25); count > 0; count -= 1) {
      await acts[random.pick([...Object.keys(acts), "slots", "pass"])]();
      checkOnce();
      if (random.chance(0.7)) await turn();
      checkOnce();
    }
    if (basket.rows.length === 0) basket.addProduct(product());
    basket.setSlots(wanted);
    for (let rounds = 0; rounds < 4; rounds += 1) {
      settle();
      for (const name of ["lookupPrices", "nationwideRate", "lookupPrices", "nationwideRate"]) await answerAll(host, name);
      await pass(200);
    }
    const known = { DRY: 60, FRESH: 90 };
    const costOf = ({ scheduleList }) => (scheduleList ? known[scheduleList[0].nationwideMode] : 0);
    assert.deepEqual([waits, basket.status, basket.isSettling, costs(basket)], [0, "current", false, wanted.map(costOf)]);
    basket.free();
  }
});

suite("slots of a basket that settles by itself", () => {
  let time;
  beforeEach(() => (time = fakeTime()));
  afterEach(() => time.restore());

  const pass = async (ms) => {
    time.tick(ms);
    await turn();
    await turn();
  };

  test("it asks for those of an empty basket, too", async () => {
    const { basket, host } = await open({ autoSettle: true });
    basket.setSlots([DRY]);
    assert.deepEqual([basket.isSettling, host.calls.length], [true, 0]);
    await pass(150);
    assert.deepEqual([costs(basket), basket.isSettling, callsOf(host)], [[60], false, [rate("DRY")]]);
    await pass(100_000);
    assert.equal(host.calls.length, 0);
    basket.free();
  });

  test("what has failed is asked again after the pause, and the order stays current", async () => {
    let isClosed = true;
    const known = hostFromFacts(FACTS);
    const seen = [];
    const nationwideRate = (query) => (seen.push(time.now), isClosed ? closed() : known.nationwideRate(query));
    const { basket } = await open({ order: orderOf(product()), host: { ...known, nationwideRate }, autoSettle: true });
    basket.setSlots([DRY, { ...DRY, shippingFirstName: "Malee" }]);
    await pass(150);
    const problems = basket.slots.map(({ problem }) => problem);
    assert.deepEqual(
      [problems[0].code, problems[0].cause.message, problems[0] === problems[1]],
      ["NATIONWIDE_RATE_FAILED", "closed", true],
    );
    assert.deepEqual([basket.status, basket.problems, basket.totals.grandTotal, basket.isSettling], ["current", [], 100, true]);
    isClosed = false;
    await pass(999);
    assert.deepEqual([seen, costs(basket)], [[150], [null, null]]);
    await pass(1);
    assert.deepEqual([seen, costs(basket), basket.slots[0].problem, basket.isSettling], [[150, 1_150], [60, 60], null, false]);
    basket.free();
  });

  test("settle() asks again at once for what has failed, and resolves although it fails again", async () => {
    const host = { ...hostFromFacts(FACTS), nationwideRate: closed };
    const { basket } = await open({ order: orderOf(product()), host, autoSettle: { retryMs: [] } });
    basket.setSlots([DRY]);
    await pass(150);
    const [{ problem }] = basket.slots;
    assert.equal((await basket.settle()).grandTotal, 100);
    assert.notEqual(basket.slots[0].problem, problem);
    host.nationwideRate = () => ({ deliveryFee: 60 });
    await basket.settle();
    assert.deepEqual([costs(basket), basket.slots[0].problem], [[60], null]);
    basket.free();
  });

  test("what is too old is asked again, with somebody who listens", async () => {
    const { pricer, host } = await open();
    const facts = pricer.facts(undefined, { maxAgeMs: 60_000 });
    const basket = pricer.basket(undefined, { facts, autoSettle: true });
    basket.subscribe(() => {});
    basket.setSlots([DRY]);
    await pass(150);
    assert.equal(callsOf(host).length, 1);
    await pass(60_000);
    assert.deepEqual([costs(basket), basket.isSettling], [[60], true]);
    await pass(150);
    assert.deepEqual([callsOf(host), basket.isSettling], [[rate("DRY")], false]);
    basket.free();
  });
});
