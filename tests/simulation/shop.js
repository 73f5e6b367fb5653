// A shop in fake time: one pricer, its host, and the baskets and orders that use it. The host answers when an action
// says so, and checks each question.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { createPricer } from "order-cost";
import { randomFrom } from "../model/generator/random.js";
import { LOOKUPS, MALFORMED, World } from "../model/generator/world.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import { fakeTime } from "../package/fake-time.js";
import { BasketLife } from "./basket-life.js";
import { Faults } from "./faults.js";
import { JOINED_MS } from "./life.js";
import { OrderLife } from "./order-life.js";
import { randomAt } from "./random.js";

const DEADLINE_MS = 601;
const OTHER_ZONES = { ...TEST_ZONES, features: TEST_ZONES.features.slice(1) };
/** A sequence of actions asks far less. */
const MOST_CALLS = 2_000;
/** No two actions have the same part of a millisecond, so that no two timers end at once. */
const MOMENT_MS = 1 / 1024;
/** What a host says that fails. */
const CLOSED = "closed";

export class Shop {
  lives = [];
  /** Calls of the host that were not answered. */
  unanswered = [];
  mode = "waits";
  /** What the host does inside its next call. */
  inside;
  isStorm = false;
  zoneCalls = [];
  /** Whether all baskets take new zones in this turn. */
  haveZonesCome = false;
  /** The newest call for the zones, while others may join it. */
  joinable;
  #world;
  #fault;
  #calls = 0;
  #owner = new AsyncLocalStorage();

  static async open({ hasDeadline, asksZones, isHuge = false, policy = {} }) {
    const shop = new Shop();
    shop.isHuge = isHuge;
    shop.options = { policy };
    shop.#world = new World(randomFrom(7), isHuge);
    shop.time = fakeTime();
    Math.random = () => randomAt(shop.now);
    shop.faults = new Faults(shop);
    try {
      const host = Object.fromEntries(LOOKUPS.map((name) => [name, (argument, ctx) => shop.#asked(name, argument, ctx)]));
      shop.deadlineMs = hasDeadline ? DEADLINE_MS : 0;
      shop.zones = asksZones ? undefined : TEST_ZONES;
      shop.asksZones = asksZones;
      const deliveryZones = asksZones ? () => shop.#askedZones() : TEST_ZONES;
      shop.pricer = await createPricer(host, { ...shop.options, deliveryZones, deadlineMs: shop.deadlineMs });
      shop.break(); // every sequence begins with a new instance, so that it fails alone as it failed among others
      return shop;
    } catch (error) {
      shop.close();
      throw error;
    }
  }

  close() {
    this.faults.end();
    this.time.restore();
  }

  get now() {
    return Date.now();
  }

  get baskets() {
    return this.lives.filter((life) => life instanceof BasketLife && !life.isFreed);
  }

  get owner() {
    return this.#owner.getStore();
  }

  /** Runs what `life` does. Its timers and promises know this, too. */
  as(life, run) {
    return this.#owner.run(life, run);
  }

  /** Keeps the first fault: a host that throws only fails a look-up. */
  check(run) {
    try {
      run();
    } catch (error) {
      this.#fault ??= error;
    }
  }

  // ---- actions

  openBasket(order, debounceMs, retryMs) {
    const life = new BasketLife(this, order, debounceMs, retryMs);
    if (life.begin()) this.lives.push(life);
  }

  /** The host edits the basket in each price look-up, for ever: the basket gives up. */
  storm(life) {
    this.faults.disarm();
    life.edit("updateProduct", [0, this.newProduct]);
    this.isStorm = true;
    life.isUnclear = true;
    life.settle();
    this.isStorm = false;
    life.gaveUp();
  }

  /** Breaks the module in an order of its own. */
  break() {
    this.faults.arm("Pricing.start", "a trap");
    const breaker = { broke() {} };
    this.as(breaker, () => this.pricer.calculate({ productList: [{ cprcode: 1, productName: "", quantity: 1 }] }).catch(() => {}));
    this.faults.disarm();
  }

  price(order) {
    const life = new OrderLife(this, order);
    this.lives.push(life);
    life.begin();
  }

  async answerAll(how) {
    for (const entry of [...this.unanswered]) await this.act(() => this.answer(entry, how));
  }

  /** Answers a call of the host: "well", "wrong", "failed" or "refused". `inside` runs while the answer is read. */
  answer(entry, how, inside) {
    this.unanswered.splice(this.unanswered.indexOf(entry), 1);
    const { life, name, argument, resolve, reject } = entry;
    if (how === "failed" || how === "refused") {
      const isFinal = how === "refused";
      life.heard(entry, (naive, call) => naive.failed(call, CLOSED, isFinal));
      return reject(Object.assign(new Error(CLOSED), isFinal && { retryable: false }));
    }
    const { good, error } = this.#answerOf(name, argument);
    if (error) {
      life.heard(entry, (naive, call) => naive.failed(call, error.message));
      return reject(error);
    }
    const answer = how === "wrong" ? MALFORMED[name](good)[0]() : good;
    life.heard(entry, (naive, call) => naive.answered(call, answer));
    resolve(inside ? this.#acting(answer, () => this.check(() => inside(life))) : answer);
  }

  /** What the host answers well, or the error with which it fails. */
  #answerOf(name, argument) {
    try {
      return { good: this.#world.answer(name, argument) };
    } catch (error) {
      return { error };
    }
  }

  #acting(answer, run) {
    const toJSON = (value) => () => (run(), value);
    return Array.isArray(answer) ? answer.map((record) => ({ toJSON: toJSON(record) })) : { toJSON: toJSON(answer) };
  }

  /** Answers a call for the zones. */
  answerZones(call, how) {
    this.zoneCalls.splice(this.zoneCalls.indexOf(call), 1);
    this.dropZones(call);
    if (how === "failed") {
      for (const life of this.lives) life.zonesFailed(call, CLOSED, false);
      return call.reject(new Error(CLOSED));
    }
    if (how === "wrong") {
      if (this.zones === undefined) for (const life of this.lives) life.zonesFailed(call, "Invalid deliveryZones: expected JSON", true);
      return call.resolve("{");
    }
    if (this.zones === undefined) this.#zonesKnown(TEST_ZONES, "zonesArrived");
    call.resolve(TEST_ZONES);
  }

  setZones(isOther) {
    const zones = isOther ? OTHER_ZONES : TEST_ZONES;
    this.#zonesKnown(zones, "zonesSet");
    this.pricer.setDeliveryZones(zones);
  }

  #zonesKnown(zones, how) {
    this.faults.disarm(); // whose entry breaks then is nowhere said
    this.haveZonesCome = true;
    this.zones = zones;
    this.joinable = undefined;
    for (const life of this.lives) life[how](zones);
  }

  newPrices() {
    this.#world.epoch += 1;
    this.#world.isRestocked = true;
  }

  async pass(ms) {
    const end = this.now + ms;
    do {
      const times = [end, ...this.time.waiting().map(({ at }) => at), ...this.lives.flatMap((life) => life.times)];
      const next = Math.min(...times.filter((at) => at !== undefined));
      for (const life of this.lives) life.passed(next);
      this.time.tickTo(next);
      await this.rest();
    } while (this.now < end);
  }

  /** An action, and all that follows from it at once. */
  async act(run) {
    await this.pass(MOMENT_MS);
    run();
    await this.rest();
  }

  async rest() {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#fault) throw this.#fault;
    this.faults.checkReplaced();
    this.haveZonesCome = false;
    for (const life of this.lives) life.rest();
    this.#checkTimers();
    this.lives = this.lives.filter((life) => !life.isGone);
  }

  /** All calls are answered and time passes, until nothing is left to do. */
  async end() {
    this.mode = "answers";
    this.#world.isRestocked = true;
    this.inside = undefined;
    this.faults.disarm();
    for (let rounds = 0; !this.#isQuiet; rounds += 1) {
      assert.ok(rounds < 1_000, "it never comes to rest");
      if (this.unanswered.length > 0) await this.act(() => this.answer(this.unanswered[0], "well"));
      else if (this.zoneCalls.length > 0) await this.act(() => this.answerZones(this.zoneCalls[0], "well"));
      else await this.pass(4_000);
    }
    await this.pass(10_000);
    assert.ok(this.#isQuiet, "at rest somebody asks");
    for (const life of this.baskets) await this.act(() => life.free());
  }

  get #isQuiet() {
    const orders = this.lives.filter((life) => life instanceof OrderLife);
    return [this.unanswered, this.zoneCalls, this.time.waiting(), orders].every(({ length }) => length === 0);
  }

  /** Exactly the timers that somebody needs; those that somebody waits for keep a Node process alive. */
  #checkTimers() {
    const timers = this.time.waiting();
    const expected = this.lives.flatMap((life) => life.timers);
    assert.equal(timers.length, expected.length, "timers");
    assert.equal(
      timers.filter((timer) => timer.hasRef()).length,
      expected.filter((isWanted) => isWanted).length,
      "timers that keep a process alive",
    );
  }

  // ---- the host

  #asked(name, argument, { context: life, signal }) {
    this.#calls += 1;
    if (this.#calls > MOST_CALLS) {
      this.check(() => assert.fail("the host is asked without an end"));
      throw new Error(CLOSED);
    }
    const entry = { life, name, argument, signal };
    life.asked(entry);
    this.#actInside(entry);
    if (this.mode === "throws" && !life.isUnclear) {
      life.heard(entry, (naive, call) => naive.failed(call, CLOSED));
      throw new Error(CLOSED);
    }
    const isAtOnce = this.mode === "answers" || (this.mode === "answers prices" && name === "lookupPrices");
    if (this.isStorm || (isAtOnce && !life.isUnclear)) {
      const { good, error } = this.#answerOf(name, argument);
      life.heard(entry, (naive, call) => (error ? naive.failed(call, error.message) : naive.answered(call, good)));
      if (error) throw error;
      return good;
    }
    this.unanswered.push(entry);
    return new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
  }

  #actInside({ life, name }) {
    if (this.isStorm) {
      if (name === "lookupPrices") this.check(() => life.edit("updateProduct", [0, this.newProduct]));
      return;
    }
    if (!this.inside) return;
    const { inside } = this;
    this.inside = undefined;
    life.isUnclear = true;
    life.isInside = true;
    this.check(() => inside(life));
    life.isInside = false;
  }

  /** A product that nobody has asked for. */
  get newProduct() {
    return { cprcode: 1_000 + this.#calls };
  }

  #askedZones() {
    if (!this.lives.some(({ isUnclear }) => isUnclear)) {
      this.check(() => {
        assert.ok(!this.isJoinable, "the zones are asked again while a call is out");
        assert.ok(this.zones === undefined && this.lives.some((life) => life.wantsZones), "the zones are asked for nobody");
      });
    }
    const call = { at: this.now, owner: this.owner };
    this.zoneCalls.push(call);
    this.joinable = call;
    return new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
  }

  get isJoinable() {
    return this.joinable !== undefined && this.now - this.joinable.at < (this.deadlineMs || JOINED_MS);
  }

  dropZones(call) {
    if (this.joinable === call) this.joinable = undefined;
  }
}
