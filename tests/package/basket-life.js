// The random life of a basket, edited while a slow and faulty host answers. After every step it shows what the naive
// model makes of the same answers.
import assert from "node:assert/strict";
import { createPricer, PricingError } from "order-cost";
import { NaiveBasket, keysOf, plain } from "../model/basket.js";
import { BRANCHES, draftEdit, draftProduct, draftWrongEdit, isLineWrong } from "../model/generator/edits.js";
import { anyPolicy } from "../model/generator/policy.js";
import { randomFrom } from "../model/generator/random.js";
import { LOOKUPS, MALFORMED, World } from "../model/generator/world.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import { assertExplained, assertShows, meaning, said } from "./basket-shown.js";
import { fakeTime } from "./fake-time.js";

const OTHER_ZONES = { ...TEST_ZONES, features: TEST_ZONES.features.slice(1).reverse() };
const DEADLINE_MS = 5000;

export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Lives of `LifeOf`, one per seed. Reports what happened in them, and the seeds that failed. */
export async function runLives(context, LifeOf, { sequences, firstSeed, enough }) {
  const time = fakeTime();
  context.after(() => time.restore());
  const counts = {};
  const failures = [];
  for (let seed = firstSeed; seed < firstSeed + sequences && failures.length < 3; seed += 1) {
    const life = new LifeOf(seed, { time, counts });
    try {
      await life.live();
    } catch (error) {
      failures.push(`seed ${seed}: ${error.stack}\n  ${life.log.slice(-25).join("\n  ")}`);
    }
    for (const what of life.tags) counts[what] = (counts[what] ?? 0) + 1;
  }
  for (const [what, count] of Object.entries(counts).sort()) context.diagnostic(`${String(count).padStart(6)} ${what}`);
  assert.deepEqual(failures, []);
  for (const [what, share] of Object.entries(enough)) assert.ok(counts[what] >= share * sequences, `${what}: only ${counts[what]} of ${sequences}`);
}

/** One basket from its creation to its end. */
export class Life {
  log = [];
  tags = new Set();
  isFaulty = true;
  outstanding = []; // calls of the host that have not been answered
  settles = [];
  checks = [];
  #turns = 0;
  #edits = 0;
  #turnOfInside = -1; // when the host last edited the basket from inside a callback
  #turnOfAnswer = -1; // when it last answered without a promise
  #keys = new Map(); // the basket's key of each row of the naive basket

  constructor(seed, { time, counts }) {
    this.time = time;
    this.counts = counts;
    this.random = randomFrom(seed);
    this.isHuge = this.random.chance(0.1);
    this.world = new World(this.random, this.isHuge);
  }

  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  get size() {
    return { lines: this.naive.order.productList.length, isHuge: this.isHuge, order: this.naive.order };
  }

  async live() {
    await this.begin();
    for (let steps = this.random.integer(6, 20); steps > 0; steps -= 1) {
      // Edits follow each other in one turn of the event loop, unless a step must wait.
      const waiting = this.#step();
      if (waiting) await waiting;
      if (this.random.chance(0.65)) await this.flush();
    }
    await this.flush();
    if (this.random.chance(0.05)) await this.#free();
    else await this.end();
    await Promise.all(this.checks);
  }

  async begin() {
    const { random } = this;
    const order = { productList: random.times(random.integer(0, 4), () => draftProduct(random, this.isHuge)) };
    if (random.chance(0.3)) Object.assign(order, { branchId: random.pick(BRANCHES), basketId: "b-42", orderDate: 1767225600, foo: NaN });
    if (random.chance(0.3)) order.couponCodeList = ["A", "LINE"];
    const options = { policy: random.pick([{}, {}, { rowTotal: "list" }, { freeShipping: "waivesDelivery" }, anyPolicy(random)]) };
    const host = Object.fromEntries(LOOKUPS.map((name) => [name, (argument, ctx) => this.#called(name, argument, ctx)]));
    this.pricer = await createPricer(host, { ...options, deliveryZones: TEST_ZONES });
    this.reference = await createPricer(this.world.host, { ...options, deliveryZones: TEST_ZONES });
    this.basket = this.pricer.basket(order);
    this.naive = new NaiveBasket(order, { options, zones: TEST_ZONES });
    this.#checkKeys();
    this.check();
  }

  #step() {
    const waits = this.outstanding.length > 0;
    const step = this.random.weighted([
      [10, "edit"],
      [this.size.lines > 0 ? 0.5 : 0, "out and in again"],
      [1.5, "wrong edit"],
      [0.7, "edit of nothing"],
      [this.isSettling ? 1 : 5, "settle"],
      [waits ? 7 : 0, "deliver"],
      [waits ? 0.3 : 0, "deadline"],
      [0.5, "zones"],
      [0.3, "restock"],
    ]);
    if (step === "edit") this.edit(draftEdit(this.random, this.size));
    if (step === "out and in again") this.#outAndInAgain();
    if (step === "wrong edit") this.wrongEdit(draftWrongEdit(this.random, this.size));
    if (step === "edit of nothing") this.editOfNothing();
    if (step === "settle") this.settle();
    if (step === "deliver") return this.#deliver();
    if (step === "deadline") return this.#deadline();
    if (step === "zones") this.#zones();
    if (step === "restock") this.world.isRestocked = true;
    return undefined;
  }

  get isSettling() {
    return this.settles.some(({ isOver }) => !isOver);
  }

  // ---- edits

  edit({ name, argument }) {
    this.log.push(`${name} ${show(argument)}`);
    this.count(`edits: ${name}`);
    if (this.outstanding.some(({ signal }) => !signal.aborted)) this.tags.add("edited while answers were outstanding");
    if (name === "refresh" && argument.length === 0) this.world.epoch += 1;
    this.#edits += 1;
    const given = this.#withKey(name, argument);
    this.naive.apply(name, argument);
    const totals = this.basket[name](...given);
    assert.deepEqual(totals, this.basket.totals, `what ${name} gives`);
    this.#forgetAborted();
    this.#checkKeys();
    if (!this.#isUnclear) this.check();
  }

  /** A line by its index or by its key. */
  #withKey(name, argument) {
    const isLine = /^(setQuantity|insertProduct|updateProduct|removeProduct|refresh)$/.test(name);
    const row = isLine ? this.basket.rows[argument[0]] : undefined;
    return row && this.random.chance(0.5) ? [row.key, ...argument.slice(1)] : argument;
  }

  /** Removes and re-adds products from one line on, so that the order stays the same. */
  #outAndInAgain() {
    const { productList } = this.naive.order;
    const line = this.random.integer(0, productList.length - 1);
    for (const product of structuredClone(productList.slice(line))) {
      this.edit({ name: "removeProduct", argument: [line] });
      this.edit({ name: "addProduct", argument: [product] });
    }
  }

  /** Sets what counts already: nothing changes. */
  editOfNothing() {
    const { order } = this.naive;
    const { couponCodeList, voucherId, ownerId, branchId } = meaning(order);
    const line = this.random.integer(0, order.productList.length - 1);
    const { cprcode, quantity, scheduleId = 0 } = order.productList[line] ?? {};
    const [name, ...argument] = this.random.pick([
      ["setCoupons", couponCodeList],
      ["setVouchers", voucherId],
      ["setOwner", ownerId],
      ["setBranch", branchId],
      ["setShipping", order.shipping ?? null],
      ["replace", plain(order)],
      ["replace", meaning(order)],
      ...(line >= 0 && order.productList.length > 0 ? [["setQuantity", line, quantity], ["updateProduct", line, { cprcode, quantity, productName: undefined, scheduleId }]] : []),
    ]);
    this.log.push(`nothing: ${name} ${show(argument)}`);
    const before = this.basket.snapshot;
    this.basket[name](...argument);
    assert.equal(this.basket.snapshot, before, `${name} with what counts already`);
  }

  /** Throws the error that `calculate` would give, and changes nothing. */
  wrongEdit({ name, argument }) {
    this.log.push(`wrong: ${name} ${show(argument)}`);
    this.count("wrong edits");
    const before = this.basket.snapshot;
    let thrown;
    try {
      this.basket[name](...argument);
    } catch (error) {
      thrown = error;
    }
    assert.ok(thrown instanceof PricingError, `${name} ${show(argument)} was accepted`);
    assert.equal(this.basket.snapshot, before, `after a wrong ${name}`);
    if (isLineWrong({ name, argument }, this.size)) {
      assert.deepEqual([thrown.message, thrown.code, thrown.path], ["Invalid order: line: expected a line of the order", "VALIDATION_ERROR", "line"]);
      return;
    }
    if (argument[0] === undefined || argument[0] === null) {
      assert.equal(thrown.code, "VALIDATION_ERROR"); // `calculate` takes some of these for their defaults
      return;
    }
    this.#inTheEnd(
      this.reference.calculate(wrongOrder(this.naive.order, name, argument)).then(
        () => assert.fail(`calculate accepts ${name} ${show(argument)}`),
        ({ message, code, path }) => assert.deepEqual([thrown.message, thrown.code, thrown.path], [message, code, path]),
      ),
    );
  }

  #zones() {
    this.log.push("zones");
    this.#edits += 1;
    if (this.outstanding.length > 0) this.tags.add("edited while answers were outstanding");
    const zones = this.random.pick([TEST_ZONES, OTHER_ZONES]);
    this.naive.setZones(zones);
    for (const pricer of [this.pricer, this.reference]) pricer.setDeliveryZones(zones);
    this.#forgetAborted();
    if (!this.#isUnclear) this.check();
  }

  // ---- settling

  settle() {
    this.log.push("settle");
    this.count("settles");
    const settle = { isOver: false };
    this.settles.push(settle);
    const [turns, edits] = [this.#turns, (this.#edits += 1)];
    // A basket that had nothing to wait for settles at once: what this turn does next is newer.
    const isOlder = () => this.#turns === turns && this.#edits !== edits;
    const over = () => {
      settle.isOver = true;
      this.log.push("settled");
    };
    settle.promise = this.basket.settle().then(
      (priced) => {
        over();
        if (!isOlder()) this.#assertNewest(priced);
        return { priced };
      },
      (error) => {
        over();
        assert.ok(error instanceof PricingError, `${error?.stack ?? error}`);
        if (!this.isFreed && !isOlder()) this.#assertReason(error);
        return { error };
      },
    );
    this.#inTheEnd(settle.promise);
  }

  /** Every waiting caller gets the current basket. */
  #assertNewest(priced) {
    assert.equal(this.basket.status, "current");
    for (const [name, value] of Object.entries(this.basket.totals)) assert.equal(priced[name], value, name);
    assert.deepEqual(priced.productList, this.basket.rows.map(({ key, problem, ...row }) => row));
    assert.deepEqual(priced.couponCodeList, this.basket.order.couponCodeList ?? []);
    for (const name of ["shipping", "validVouchers", "invalidVouchers", "discountResult"]) assert.deepEqual(priced[name], this.basket.snapshot[name], name);
  }

  #assertReason(error) {
    if (this.size.lines > 0) {
      assert.equal(this.basket.status, "failed");
      assert.deepEqual(said(error), said(this.basket.error));
    } else {
      assert.deepEqual([error.code, error.path, this.basket.status], ["VALIDATION_ERROR", "productList", "current"]);
    }
  }

  // ---- the host

  /** Checks that the host is asked only for what is unknown. It answers when and how it likes. */
  #called(name, argument, ctx) {
    this.log.push(`asked ${name} ${show(name === "validateCoupons" ? argument.couponCodeList : argument)}`);
    this.count(`asked: ${name}`);
    if (!this.#isUnclear) this.#assertIsToAsk(name, argument);
    const entry = { name, argument, signal: ctx.signal, call: this.naive.asked(name, argument) };
    if (this.isFaulty && this.#turnOfAnswer !== this.#turns && this.random.chance(0.04)) this.#fromInside();
    return this.#reply(entry);
  }

  #assertIsToAsk(name, argument) {
    const { naive } = this;
    if (name === "validateCoupons") {
      const { request, isReadyForCoupons } = naive.shown;
      assert.equal(JSON.stringify(argument), request, "the request");
      assert.ok(isReadyForCoupons, "coupons are asked last, and not after a failure");
      assert.ok(naive.couponsToAsk !== undefined, "the request is known");
      assert.equal(this.outstanding.some((one) => one.name === name && !one.signal.aborted), false, "asked twice at the same time");
      return;
    }
    const keys = keysOf(name, argument);
    assert.ok(keys.length > 0, `${name} is asked nothing`);
    assert.equal(new Set(keys).size, keys.length, "a key is asked twice");
    const { prices, rates, vouchers } = naive.toAsk;
    const asked = { lookupPrices: prices, nationwideRate: rates, lookupVouchers: vouchers }[name];
    for (const key of keys) assert.ok(asked.includes(key), `${key} is known, out or not needed`);
  }

  /** In this turn the host edited the basket: what it is asked, and has been asked, may be out of date. */
  get #isUnclear() {
    return this.#turnOfInside === this.#turns;
  }

  /** A host function that uses the basket. */
  #fromInside() {
    this.tags.add("used from inside a callback");
    this.#turnOfInside = this.#turns;
    const edit = draftEdit(this.random, this.size);
    // Whether a refresh comes before or after a call of the same batch is nowhere said.
    if (this.random.chance(0.3) || edit.name === "refresh") this.settle();
    else this.edit(edit);
  }

  #reply(entry) {
    const { random } = this;
    const fault = this.isFaulty && random.chance(0.15) ? random.pick(["throws", "rejects", "malformed", "never"]) : "none";
    if (fault !== "none") this.count(`faults: ${fault}`);
    if (fault === "never") {
      this.outstanding.push({ ...entry, isNever: true });
      return new Promise(() => {});
    }
    const outcome = fault === "throws" ? { error: `${entry.name} is closed` } : this.#outcome(entry, fault);
    const isAtOnce = fault === "throws" || random.chance(this.isFaulty ? 0.25 : 0.5);
    if (!isAtOnce) return this.#later(entry, outcome);
    if (this.#isUnclear || random.chance(0.3)) return this.#soon(entry, outcome);
    this.#turnOfAnswer = this.#turns;
    this.log.push(`answered at once: ${show(outcome)}`);
    this.#hear(entry, outcome);
    if (outcome.error !== undefined) throw new Error(outcome.error);
    return outcome.answer;
  }

  /** A promise that is settled already. The naive basket hears of it first. */
  #soon(entry, outcome) {
    const promise = outcome.error === undefined ? Promise.resolve(outcome.answer) : Promise.reject(new Error(outcome.error));
    const hear = () => this.#hear(entry, outcome);
    promise.then(hear, hear);
    return promise;
  }

  #outcome({ name, argument }, fault) {
    try {
      if (fault === "rejects") return { error: `${name} is away` };
      let answer = this.world.answer(name, argument);
      if (fault === "malformed") answer = this.random.pick(MALFORMED[name](answer))();
      const asText = (value) => (value !== null && typeof value === "object" && this.random.chance(0.4) ? JSON.stringify(value) : value);
      return { answer: Array.isArray(answer) ? answer.map(asText) : name === "lookupPrices" || name === "lookupVouchers" ? answer : asText(answer) };
    } catch (error) {
      return { error: error.message };
    }
  }

  #later(entry, outcome) {
    return new Promise((resolve, reject) => {
      const deliver = () => {
        // The naive basket hears the answer first, and no edit comes between.
        this.#hear(entry, outcome);
        if (outcome.error) reject(new Error(outcome.error));
        else resolve(outcome.answer);
      };
      this.outstanding.push({ ...entry, deliver });
    });
  }

  /** Tells the naive basket what the basket hears. */
  #hear({ call, signal }, { answer, error }) {
    if (signal.aborted) {
      this.tags.add("late answers");
      this.naive.aborted(call);
    } else if (error !== undefined) this.naive.failed(call, error);
    else this.naive.answered(call, answer);
  }

  /** Only useless calls are aborted, and all of them. */
  #forgetAborted() {
    for (const { name, call, signal } of this.outstanding) {
      if (call.isGone) continue;
      if (signal.aborted) {
        call.isGone = true;
        this.naive.aborted(call);
        this.count("aborted calls");
        if (!this.#isUnclear && !this.isFreed) assert.ok(this.naive.isUseless(call), `${name} was aborted and is of use`);
      } else if (!this.#isUnclear && this.naive.isUseless(call)) {
        call.shouldBeGone ??= `${name} is of no use`;
      }
    }
  }

  async #deliver() {
    await this.flush();
    const open = this.outstanding.filter(({ deliver }) => deliver);
    if (open.length === 0) return;
    const entry = this.random.pick(open);
    this.outstanding.splice(this.outstanding.indexOf(entry), 1);
    this.log.push(`deliver ${entry.name}${entry.signal.aborted ? ", late" : ""}`);
    entry.deliver();
    await this.flush();
  }

  async #deadline() {
    await this.flush();
    this.log.push("deadline");
    for (const { name, call, signal } of this.outstanding) {
      if (!signal.aborted) this.naive.failed(call, `${name} did not answer within ${DEADLINE_MS} ms`);
      call.isGone = true;
    }
    this.time.tick(DEADLINE_MS);
    await this.flush();
  }

  // ---- checks

  /** The life fails in the end if this check does. */
  #inTheEnd(check) {
    check.catch(() => {}); // until then
    this.checks.push(check);
  }

  /** Lets all pending work run. */
  async flush() {
    await turn();
    this.#turns += 1;
    this.#forgetAborted();
    for (const { call, signal } of this.outstanding) assert.ok(signal.aborted || !call.shouldBeGone, call.shouldBeGone);
    assert.equal(this.basket.snapshot.isSettling, this.outstanding.some(({ signal }) => !signal.aborted), "isSettling");
    this.check();
  }

  check() {
    const { basket, naive } = this;
    const { snapshot } = basket;
    if (naive.shown.problems.some(({ code }) => code === "OVERFLOW")) this.tags.add("an overflow");
    if (naive.shown.problems.length > 1) this.tags.add("several problems");
    assertShows(snapshot, naive.shown);
    assert.deepEqual(meaning(snapshot.order), meaning(naive.order), "order");
    if (this.checked === naive.shown) return;
    this.checked = naive.shown;
    assertExplained(basket);
    if (snapshot.status === "current") this.#checkAgainstCalculate(snapshot);
  }

  /** Each row keeps its key, and no key is used twice. */
  #checkKeys() {
    const { rows } = this.basket;
    this.naive.ids.forEach((id, line) => {
      const { key } = rows[line];
      if (!this.#keys.has(id)) {
        assert.equal([...this.#keys.values()].includes(key), false, `the key ${key} was used before`);
        this.#keys.set(id, key);
      }
      assert.equal(key, this.#keys.get(id), `the key of rows[${line}]`);
    });
  }

  get keys() {
    return [...this.#keys.values()];
  }

  #checkAgainstCalculate({ order, totals, rows }) {
    if (rows.length === 0) return;
    this.count("current baskets compared with calculate");
    const compare = (priced) => {
      for (const [name, value] of Object.entries(totals)) assert.equal(value, priced[name], name);
      assert.deepEqual(rows.map(({ key, problem, ...row }) => row), priced.productList);
    };
    // `calculate` asks everything before it returns, so the host uses the facts of this moment.
    this.#inTheEnd(this.reference.calculate(plain(order)).then(compare));
  }

  async #free() {
    this.isFreed = true;
    const waiting = this.settles.filter(({ isOver }) => !isOver);
    const last = this.basket.snapshot;
    this.basket.free();
    for (const { promise } of waiting) assert.match((await promise).error.code, /^(ABORTED|VALIDATION_ERROR)$/);
    for (const { deliver } of this.outstanding) deliver?.();
    await turn();
    const { isSettling, ...shown } = this.basket.snapshot;
    const { isSettling: wasSettling, ...before } = last;
    assert.deepEqual(shown, before, "the last snapshot");
    this.tags.add(waiting.length ? "freed while it was settled" : "freed");
  }

  /** Delivers all answers, repairs the host, and settles the basket once more: as `calculate` with the same facts. */
  async end() {
    this.isFaulty = false;
    this.log.push("end");
    await this.#drain();
    if (this.world.isRestocked) this.edit({ name: "refresh", argument: [] }); // what was not found may be there now
    this.settle();
    await this.#drain();
    const { priced, error } = await this.settles.at(-1).promise;
    const order = plain(this.basket.order);
    const expected = await this.reference.calculate(order).then((value) => ({ value }), (reason) => ({ reason }));
    assert.deepEqual(error && said(error), expected.reason && said(expected.reason), "calculate's error");
    assert.deepEqual(priced, expected.value, "calculate's response");
    if (this.size.lines > 0) assert.deepEqual(this.basket.snapshot.problems.slice(0, 1).map(said), error ? [said(error)] : [], "the first problem");
    await this.ended(order, { priced, error });
    this.tags.add(error ? "failed in the end" : "settled in the end");
  }

  /** For those who know more. */
  async ended() {}

  async #drain() {
    await this.flush();
    for (let rounds = 0; this.isSettling || this.outstanding.length > 0; rounds += 1) {
      assert.ok(rounds < 200, "it is never over");
      if (this.outstanding.some(({ deliver }) => deliver)) await this.#deliver();
      else await this.#deadline();
      this.outstanding = this.outstanding.filter(({ isNever, signal }) => !(isNever && signal.aborted));
      await this.flush();
    }
  }
}

const SOME_PRODUCT = { cprcode: 1, productName: "", quantity: 1 };
const MEMBERS = { setShipping: "shipping", setCoupons: "couponCodeList", setVouchers: "voucherId", setOwner: "ownerId", setBranch: "branchId" };

/** The order that a wrong edit would give. */
function wrongOrder({ productList, ...order }, name, [first, second]) {
  const isEmpty = name === "replace" && first.productList?.length === 0; // `calculate` would refuse that first
  if (name === "replace") return isEmpty ? { ...first, productList: [SOME_PRODUCT] } : first;
  const products = [...productList];
  if (name === "addProduct") products.push(first);
  if (name === "insertProduct") products.splice(first, 0, second);
  if (name === "setQuantity") products[first] = { ...products[first], quantity: second };
  if (name === "updateProduct") products[first] = { ...products[first], ...second };
  if (products.length === 0) products.push(SOME_PRODUCT);
  const member = MEMBERS[name];
  return { ...order, ...(member && { [member]: first }), productList: products };
}

export function show(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    return error.message.split("\n")[0];
  }
}
