// Random lives of a basket, edited while a slow and faulty host answers. After every step it shows what the naive model
// makes of the same answers; in the end it equals `calculate`.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createPricer, PricingError } from "order-cost";
import { NaiveBasket } from "../model/basket.js";
import { BRANCHES, OWNERS, draftEdit, draftProduct, draftWrongEdit } from "../model/generator/edits.js";
import { randomFrom } from "../model/generator/random.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import { price } from "../model/price.js";

const SEQUENCES = Number(process.env.ORDER_COST_SEQUENCES ?? 1_000);
const FIRST_SEED = Number(process.env.ORDER_COST_SEED ?? 1);
const OTHER_ZONES = { ...TEST_ZONES, features: TEST_ZONES.features.slice(1).reverse() };
const DEADLINE_MS = 5000;

const turn = () => new Promise((resolve) => setImmediate(resolve));

test(`${SEQUENCES} random baskets from seed ${FIRST_SEED}: always what the model and calculate say`, async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const counts = {};
  const failures = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES && failures.length < 3; seed += 1) {
    const life = new Life(seed, counts);
    try {
      await life.live();
    } catch (error) {
      failures.push(`seed ${seed}: ${error.stack}\n  ${life.log.slice(-25).join("\n  ")}`);
    }
    for (const what of life.tags) counts[what] = (counts[what] ?? 0) + 1;
  }
  for (const [what, count] of Object.entries(counts).sort()) context.diagnostic(`${String(count).padStart(6)} ${what}`);
  assert.deepEqual(failures, []);
  const enough = { "edited while answers were outstanding": 0.5, "settled in the end": 0.25, "failed in the end": 0.05, "an overflow": 0.01, "late answers": 0.05 };
  for (const [what, share] of Object.entries(enough)) assert.ok(counts[what] >= share * SEQUENCES, `${what}: only ${counts[what]} of ${SEQUENCES}`);
});

/** What the host's databases hold, and how the calls end. */
class World {
  epoch = 0; // version of the facts; each refresh starts a new one
  isRestocked = false; // products not found before may be found now
  isFaulty = true;

  constructor(random, isHuge) {
    this.random = random;
    this.isHuge = isHuge;
    this.salt = random.integer(0, 1000);
  }

  #amount(key, most) {
    const fixed = randomFrom(this.salt + this.epoch * 7919 + [...key].reduce((hash, one) => (hash * 31 + one.codePointAt(0)) | 0, 7));
    if (this.isHuge) return fixed.integer(1, most);
    return fixed.weighted([
      [3, fixed.integer(0, most)],
      [5, fixed.integer(0, most * 100) / 100],
      [2, fixed.integer(0, most * 10) * 0.1 + 0.2],
    ]);
  }

  price(cprcode, branchId) {
    if (cprcode === 7 || (cprcode === 6 && !this.isRestocked)) return null;
    const key = `${cprcode}/${branchId}`;
    if (cprcode === 8 && this.isHuge) return { price: 7e22 };
    const record = { price: this.#amount(key, 500) };
    if (cprcode % 2) Object.assign(record, { originalPrice: record.price + 5, weight: this.#amount(`w${key}`, 3) });
    if (cprcode % 3 === 0) record.isControlledProduct = true;
    return record;
  }

  rate(mode, postcode) {
    if (mode === "MIX" && postcode === "50000" && !this.isRestocked) throw new Error("No rate for MIX");
    return { deliveryFee: this.#amount(`${mode}/${postcode}`, 150), nationwideConfig: mode === "DRY" ? null : `${mode}/${postcode}` };
  }

  voucher(id) {
    if (id === "V5" && !this.isRestocked) return undefined;
    const ownerId = id === "V4" ? null : OWNERS[1 + (id.codePointAt(1) % 2)];
    return { ownerId, value: this.#amount(id, 80), isActive: id !== "V3", isUsed: false };
  }

  /** Depends on the whole request: another request gets another answer. */
  coupons({ couponCodeList, subTotal, deliveryFee, ownerId, productList }) {
    const lastLine = productList.length - 1;
    const grants = {
      A: { discount: this.#amount(`A${subTotal}`, 30) },
      B: { bogoDiscount: this.#amount(`B${ownerId}${deliveryFee}`, 30), lines: [{ line: lastLine, discount: this.#amount("B", 9) }] },
      LINE: { two4Discount: 3, lines: productList.map((_, line) => ({ line, discount: this.#amount(`L${line}`, 9) })) },
      PCT: this.isHuge ? { discount: 1 } : { percentageDiscount: 0.05, discount: 2 },
      SHIP: { freeshipping: true, shippingDiscount: this.#amount(`S${deliveryFee}`, 60) },
    };
    const discounts = couponCodeList.filter((code) => Object.hasOwn(grants, code)).map((coupon) => ({ coupon, ...grants[coupon] }));
    if (productList.length > 2) discounts.push({ coupon: "AUTO", discount: 1 });
    const lines = couponCodeList.length > 2 ? [{ line: 0, discount: 2 }] : undefined;
    return { discounts, failedCoupons: couponCodeList.filter((code) => !Object.hasOwn(grants, code)), lines };
  }

  answer(name, argument) {
    if (name === "lookupPrices") return argument.map(({ cprcode, branchId }) => this.price(cprcode, branchId));
    if (name === "lookupVouchers") return argument.map((id) => this.voucher(id));
    if (name === "nationwideRate") return this.rate(argument.nationwideMode, argument.shippingPostcode);
    return this.coupons(argument);
  }

  /** A host that answers everything at once and correctly. */
  get host() {
    return Object.fromEntries(LOOKUPS.map((name) => [name, (argument) => this.answer(name, argument)]));
  }
}

const LOOKUPS = ["lookupPrices", "nationwideRate", "validateCoupons", "lookupVouchers"];
const MALFORMED = {
  lookupPrices: (answer) => [() => answer.slice(1), () => answer.with(0, { price: -1 }), () => answer.with(-1, "{"), () => ({ ...answer })],
  lookupVouchers: (answer) => [() => [...answer, null], () => answer.with(0, { value: 5 }), () => null],
  nationwideRate: () => [() => null, () => ({ deliveryFee: NaN }), () => "60x"],
  validateCoupons: () => [() => 5, () => ({ discounts: [{ coupon: "A", discount: -1 }] }), () => ({ lines: [{ line: 5000 }] })],
};

/** One basket from its creation to its end. */
class Life {
  log = [];
  tags = new Set();
  #rounds = new Map(); // by the host's context: the basket at the start of the round
  #outstanding = [];
  #settles = [];
  #checks = [];
  #fired = 0;

  constructor(seed, counts) {
    this.counts = counts;
    this.random = randomFrom(seed);
    this.isHuge = this.random.chance(0.1);
    this.world = new World(this.random, this.isHuge);
  }

  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  get size() {
    return { lines: this.naive.order.productList.length, isHuge: this.isHuge };
  }

  async live() {
    await this.#begin();
    for (let steps = this.random.integer(6, 20); steps > 0; steps -= 1) {
      // Edits follow each other in one turn of the event loop, unless a step must wait.
      const waiting = this.#step();
      if (waiting) await waiting;
      this.#check();
      if (this.random.chance(0.65)) await this.#flush();
    }
    await this.#flush();
    if (this.random.chance(0.05)) await this.#free();
    else await this.#end();
    await Promise.all(this.#checks);
  }

  async #begin() {
    const { random } = this;
    const order = { productList: random.times(random.integer(0, 4), () => draftProduct(random, this.isHuge)) };
    if (random.chance(0.3)) Object.assign(order, { branchId: random.pick(BRANCHES), basketId: "b-42", orderDate: 1767225600, foo: NaN });
    if (random.chance(0.3)) order.couponCodeList = ["A", "LINE"];
    const policy = random.pick([{}, {}, { rowTotal: "list" }, { freeShipping: "waivesDelivery" }]);
    const options = { policy };
    const host = Object.fromEntries(LOOKUPS.map((name) => [name, (argument, ctx) => this.#called(name, argument, ctx)]));
    this.pricer = await createPricer(host, { ...options, deliveryZones: TEST_ZONES });
    this.reference = await createPricer(this.world.host, { ...options, deliveryZones: TEST_ZONES });
    this.basket = this.pricer.basket(order);
    this.naive = new NaiveBasket(order, { options, zones: TEST_ZONES });
    this.naive.eager = this.isHuge;
    this.basket.addEventListener("change", () => (this.#fired += 1));
    this.#check();
  }

  #step() {
    const waits = this.#outstanding.length > 0;
    const step = this.random.weighted([
      [10, "edit"],
      [this.size.lines > 0 ? 0.5 : 0, "out and in again"],
      [1.5, "wrong edit"],
      [this.#isSettling ? 1 : 5, "settle"],
      [waits ? 7 : 0, "deliver"],
      [waits ? 0.3 : 0, "deadline"],
      [0.5, "zones"],
      [0.3, "restock"],
    ]);
    if (step === "edit") this.#edit(draftEdit(this.random, this.size));
    if (step === "out and in again") this.#outAndInAgain();
    if (step === "wrong edit") this.#wrongEdit(draftWrongEdit(this.random, this.size));
    if (step === "settle") this.#settle();
    if (step === "deliver") return this.#deliver();
    if (step === "deadline") return this.#deadline();
    if (step === "zones") this.#zones();
    if (step === "restock") this.world.isRestocked = true;
    return undefined;
  }

  get #isSettling() {
    return this.#settles.some(({ isOver }) => !isOver);
  }

  #edit({ name, argument }) {
    this.log.push(`${name} ${show(argument)}`);
    this.count(`edits: ${name}`);
    if (this.#outstanding.some(({ signal }) => !signal.aborted)) this.tags.add("edited while answers were outstanding");
    if (name === "refresh") this.world.epoch += 1;
    this.naive.apply(name, argument);
    const totals = this.basket[name](...argument);
    assert.deepEqual(totals, this.naive.shown.totals, `what ${name} gives`);
  }

  /** Removes and re-adds products from one line on, so that the order stays the same. */
  #outAndInAgain() {
    const { productList } = this.naive.order;
    const line = this.random.integer(0, productList.length - 1);
    for (const product of structuredClone(productList.slice(line))) {
      this.#edit({ name: "removeProduct", argument: [line] });
      this.#edit({ name: "addProduct", argument: [product] });
    }
  }

  /** Throws the error that `calculate` would give, and changes nothing. */
  #wrongEdit({ name, argument }) {
    this.log.push(`wrong: ${name}`);
    this.count("wrong edits");
    const before = this.#visible();
    let thrown;
    try {
      this.basket[name](...argument);
    } catch (error) {
      thrown = error;
    }
    assert.ok(thrown instanceof PricingError, `${name} ${show(argument)} was accepted`);
    assert.deepEqual(this.#visible(), before, `after a wrong ${name}`);
    const { productList } = this.naive.order;
    if (/^(setQuantity|removeProduct)$/.test(name) && !(Number.isInteger(argument[0]) && argument[0] >= 0 && argument[0] < productList.length)) {
      assert.deepEqual([thrown.message, thrown.code, thrown.path], ["Invalid order: line: expected a line of the order", "VALIDATION_ERROR", "line"]);
      return;
    }
    this.#checks.push(
      this.reference.calculate(wrongOrder(this.naive.order, name, argument)).then(
        () => assert.fail(`calculate accepts ${name} ${show(argument)}`),
        ({ message, code, path }) => assert.deepEqual([thrown.message, thrown.code, thrown.path], [message, code, path]),
      ),
    );
  }

  #visible() {
    const { order, totals, rows, status, pending, error } = this.basket;
    return { order, totals, rows, status, pending, error };
  }

  #zones() {
    this.log.push("zones");
    if (this.#outstanding.length > 0) this.tags.add("edited while answers were outstanding");
    const zones = this.random.pick([TEST_ZONES, OTHER_ZONES]);
    for (const pricer of [this.pricer, this.reference]) pricer.setDeliveryZones(zones);
    this.naive.setZones(zones);
  }

  #settle() {
    this.log.push("settle");
    this.count("settles");
    if (this.#burst) this.#burst.settled = true;
    const settle = { isOver: false };
    this.#settles.push(settle);
    const over = () => {
      settle.isOver = true;
      this.log.push("settled");
    };
    settle.promise = this.basket.settle().then(
      (priced) => {
        over();
        this.#assertNewest(priced);
        return { priced };
      },
      (error) => {
        over();
        assert.ok(error instanceof PricingError, `${error?.stack ?? error}`);
        if (!this.isFreed) assert.equal(this.basket.status, "failed");
        if (!this.isFreed) assert.equal(this.basket.error, error);
        return { error };
      },
    );
    this.#checks.push(settle.promise);
  }

  /** Every waiting caller gets the current basket. */
  #assertNewest(priced) {
    assert.equal(this.basket.status, "current");
    for (const [name, value] of Object.entries(this.basket.totals)) assert.equal(priced[name], value, name);
    assert.deepEqual(priced.productList, this.basket.rows);
    assert.deepEqual(priced.couponCodeList, this.basket.order.couponCodeList ?? []);
  }

  /** Checks that the host is asked only for unknown facts. It answers when and how it likes. */
  #called(name, argument, ctx) {
    if (!this.#rounds.has(ctx)) this.#rounds.set(ctx, this.naive.snapshot());
    const round = this.#rounds.get(ctx);
    this.log.push(`asked ${name} ${show(name === "validateCoupons" ? argument.couponCodeList : argument)}`);
    this.count(`asked: ${name}`);
    this.#assertUnknown(name, argument, round);
    const request = name === "validateCoupons" ? JSON.stringify(argument) : undefined;
    const entry = { name, argument, signal: ctx.signal, round, request };
    if (this.world.isFaulty && this.random.chance(0.04)) this.#fromInside();
    return this.#reply(entry);
  }

  #assertUnknown(name, argument, round) {
    const keys = KEYS[name]?.(argument) ?? [];
    assert.equal(new Set(keys.map(String)).size, keys.length, "a key is asked twice");
    if (name !== "validateCoupons") assert.ok(keys.length > 0, `${name} is asked nothing`);
    if (round.generation !== this.naive.generation) return;
    for (const [kind, key] of keys) assert.equal(this.naive.knows(kind, key), false, `${key} is known`);
    if (name === "validateCoupons") assert.notEqual(JSON.stringify(argument), this.naive.knownRequest, "the request is known");
  }

  /** A host function that uses the basket. */
  #fromInside() {
    this.tags.add("used from inside a callback");
    if (this.random.chance(0.3)) this.#settle();
    else this.#edit(draftEdit(this.random, this.size));
  }

  #reply(entry) {
    const { random, world } = this;
    const fault = world.isFaulty && random.chance(0.15) ? random.pick(["throws", "rejects", "malformed", "never"]) : "none";
    if (fault !== "none") this.count(`faults: ${fault}`);
    if (fault === "throws") throw new Error(`${entry.name} is closed`);
    if (fault === "never") return new Promise(() => {});
    entry.good = [];
    let answer;
    try {
      if (fault === "rejects") throw new Error(`${entry.name} is away`);
      answer = this.#answer(entry, fault === "malformed");
    } catch (error) {
      return this.#later(entry, Promise.reject(error));
    }
    if (!random.chance(world.isFaulty ? 0.25 : 0.5)) return this.#later(entry, answer);
    this.#learn(entry);
    return answer;
  }

  #later(entry, answer) {
    const promise = new Promise((resolve) => {
      this.#outstanding.push({ ...entry, deliver: () => resolve(answer) });
    });
    // Registered first, so that the naive basket hears the answer before the basket.
    const learn = () => (entry.signal.aborted ? this.tags.add("late answers") : this.#learn(entry));
    promise.then(learn, () => {});
    Promise.resolve(answer).catch(() => {});
    return promise;
  }

  /** The host's answer; `entry.good` collects the facts in it. */
  #answer(entry, isMalformed) {
    const { name, argument } = entry;
    let answer = this.world.answer(name, argument);
    if (isMalformed) answer = this.random.pick(MALFORMED[name](answer))();
    const asText = (value) => (value !== null && typeof value === "object" && this.random.chance(0.4) ? JSON.stringify(value) : value);
    if (KEYS[name] && !(isMalformed && name === "nationwideRate")) {
      const keys = KEYS[name](argument);
      const list = name === "nationwideRate" ? [answer] : answer;
      const isGood = (record) => record && typeof record === "object" && !(record.price < 0) && (name !== "lookupVouchers" || "isActive" in record);
      if (Array.isArray(list) && list.length === keys.length)
        keys.forEach(([kind, key], index) => isGood(list[index]) && entry.good.push([kind, key, list[index]]));
    }
    if (name === "validateCoupons" && !isMalformed) entry.coupons = answer;
    return Array.isArray(answer) ? answer.map(asText) : asText(answer);
  }

  /** Tells the naive basket at the same moment as the basket. */
  #learn({ round, good, coupons, request }) {
    if (round.generation !== this.naive.generation) return;
    if (good.length > 0) this.naive.learn(good);
    if (coupons) this.naive.learnCoupons(round, request, coupons);
  }

  async #deliver() {
    await this.#flush();
    if (this.#outstanding.length === 0) return;
    const [entry] = this.#outstanding.splice(this.random.integer(0, this.#outstanding.length - 1), 1);
    this.log.push(`deliver ${entry.name}${entry.signal.aborted ? ", late" : ""}`);
    entry.deliver();
    // The naive basket hears the answer some microtasks later, before the basket, and no edit comes between.
    await this.#flush();
  }

  async #deadline() {
    await this.#flush();
    this.log.push("deadline");
    mock.timers.tick(DEADLINE_MS);
    await this.#flush();
  }

  /** Lets all pending work run. Without a call to the host, the edits since the last flush fire one event. */
  async #flush() {
    const burst = this.#burst;
    const isQuiet = burst && !burst.settled && !this.#isSettling;
    const now = this.#whatIsTold();
    await turn();
    if (isQuiet) {
      assert.ok(this.#fired - burst.fired <= 1, `change fired ${this.#fired - burst.fired} times`);
      if (JSON.stringify(burst.told) !== JSON.stringify(now)) assert.equal(this.#fired - burst.fired, 1, "a change that nobody heard of");
    }
    this.#burst = { told: this.#whatIsTold(), fired: this.#fired, settled: false };
    this.#check();
  }

  #burst;
  #checked;

  #whatIsTold() {
    return { totals: this.basket.totals, status: this.basket.status };
  }

  #check() {
    const { basket, naive } = this;
    const { totals, rows, pending, overflow } = naive.shown;
    if (overflow) this.tags.add("an overflow");
    assert.deepEqual(basket.totals, totals, "totals");
    assert.deepEqual(basket.pending, pending, "pending");
    const { status, error } = basket;
    assert.equal(status === "failed", error !== null);
    if (status === "failed") assert.equal(this.#isSettling && !overflow, false, "failed while it is settled");
    else assert.equal(status, pending.length === 0 && !overflow ? "current" : "pending");
    if (overflow && !this.#isSettling) assert.equal(status, "failed");
    if (this.#checked === naive.shown) return;
    this.#checked = naive.shown;
    if (rows) assert.deepEqual(basket.rows, rows, "rows");
    assert.deepEqual(basket.order, naive.order, "order");
    if (status === "current") this.#checkAgainstCalculate(basket.order, basket.totals, basket.rows);
    if (this.random.chance(0.05)) {
      const copy = this.pricer.basket(basket.order);
      assert.deepEqual(copy.order, basket.order);
      copy.free();
    }
  }

  #checkAgainstCalculate(order, totals, rows) {
    if (rows.length === 0) return;
    this.count("current baskets compared with calculate");
    const compare = (priced) => {
      for (const [name, value] of Object.entries(totals)) assert.equal(value, priced[name], name);
      assert.deepEqual(rows, priced.productList);
    };
    // `calculate` asks everything before it returns, so the host uses the facts of this moment.
    this.#checks.push(this.reference.calculate(order).then(compare));
  }

  async #free() {
    this.isFreed = true;
    const wasSettling = this.#settles.filter(({ isOver }) => !isOver);
    this.basket.free();
    for (const { promise } of wasSettling) assert.equal((await promise).error.code, "ABORTED");
    for (const { deliver } of this.#outstanding) deliver();
    await turn();
    this.tags.add(wasSettling.length ? "freed while it was settled" : "freed");
  }

  /** Delivers all answers, repairs the host, and settles the basket once more. */
  async #end() {
    this.world.isFaulty = false;
    this.log.push("end");
    await this.#drain();
    this.#settle();
    await this.#drain();
    const settled = await this.#settles.at(-1).promise;
    const { order } = this.basket;
    const priced = await this.reference.calculate(order).then((value) => ({ value }), (error) => ({ error }));
    const { message, code, path, retryable } = priced.error ?? {};
    if (settled.error) assert.deepEqual({ ...settled.error, message: settled.error.message, name: 0, requestId: 0, cause: 0 }, { ...priced.error, message, name: 0, requestId: 0, cause: 0 });
    else assert.deepEqual(settled.priced, priced.value);
    assert.deepEqual([settled.error?.code, settled.error?.path, settled.error?.retryable], [code, path, retryable]);
    this.#checkAgainstModel(order, settled);
    this.tags.add(settled.error ? "failed in the end" : "settled in the end");
  }

  #checkAgainstModel(order, { priced, error }) {
    const branchId = order.branchId ?? "1000";
    const postcode = order.shipping?.shippingPostcode ?? "10110";
    const host = { prices: {}, rates: {}, vouchers: {}, fails: {} };
    for (const { cprcode } of order.productList) host.prices[`${cprcode}/${branchId}`] = this.world.price(cprcode, branchId);
    for (const mode of ["DRY", "FRESH", "MIX"]) {
      if (mode !== "MIX" || postcode !== "50000" || this.world.isRestocked) host.rates[mode] = this.world.rate(mode, postcode);
    }
    for (const id of order.voucherId ?? []) host.vouchers[id] = this.world.voucher(id);
    const testCase = { order, zones: this.naive.zones, options: this.naive.options, host };
    const { couponRequest } = price(testCase);
    if (couponRequest) host.coupons = this.world.coupons(couponRequest);
    const expected = price(testCase);
    if (expected.text) assert.deepEqual(priced, JSON.parse(expected.text), "the model");
    else assert.deepEqual([error?.message, error?.code], [expected.error, expected.code], "the model");
  }

  async #drain() {
    await this.#flush();
    for (let rounds = 0; this.#isSettling || this.#outstanding.length > 0; rounds += 1) {
      assert.ok(rounds < 200, "it is never over");
      if (this.#outstanding.length > 0) await this.#deliver();
      else await this.#deadline();
      await this.#flush();
    }
  }
}

const KEYS = {
  lookupPrices: (keys) => keys.map(({ cprcode, branchId }) => ["prices", `${cprcode}/${branchId}`]),
  lookupVouchers: (ids) => ids.map((id) => ["vouchers", id]),
  nationwideRate: ({ nationwideMode, shippingPostcode }) => [["rates", `${nationwideMode}/${shippingPostcode}`]],
};

/** The order that a wrong edit would give. */
function wrongOrder({ productList, ...order }, name, [first, second]) {
  const products = productList.length > 0 || name === "addProduct" ? [...productList] : [{ cprcode: 1, productName: "", quantity: 1 }];
  if (name === "addProduct") products.push(first);
  if (name === "setQuantity") products[first] = { ...products[first], quantity: second };
  const member = { setShipping: "shipping", setCoupons: "couponCodeList", setVouchers: "voucherId", setOwner: "ownerId", setBranch: "branchId" }[name];
  return { ...order, ...(member && { [member]: first }), productList: products };
}

function show(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    return error.message.split("\n")[0];
  }
}
