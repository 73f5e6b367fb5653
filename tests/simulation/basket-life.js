// One basket, and what must hold of it: what it shows, what it asks and when, what it drops, and how its waits end.
import assert from "node:assert/strict";
import { PricingError } from "order-cost";
import { NaiveBasket } from "../model/basket.js";
import { assertFrozen, assertShared } from "../package/basket-shared.js";
import { assertExplained, assertShows, meaning, said } from "../package/basket-shown.js";
import { KIND, Life } from "./life.js";
import { randomAt } from "./random.js";

/** The default debounce of a basket that settles by itself. */
const DEBOUNCE_MS = 150;
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

const COUPONS = "validateCoupons";
/** The pause after the module failed, or the host never ended. */
const MODULE = "module";
/** The entries of the module after which an edit counts: it stands if they break. */
const FOLLOWING = ["useless", "changes"];

/** What an order and slots say. */
const wording = ({ order, slots }) => JSON.stringify([order, ...slots.map((shipping) => ({ productList: [], shipping }))].map(meaning));

export class BasketLife extends Life {
  /** Those who wait for a settle(): `{ controller, outcome }`. */
  waits = [];
  isFreed = false;
  isGone = false;
  /** Undefined if it does not settle by itself. */
  #debounceMs;
  #retryMs;
  #debounceEnd;
  /** By look-up: `{ tries, end }`, how many pauses there were, and when the running one ends. */
  #pauses = new Map();
  /** The module failed, or the host never ended: it asks nothing before an edit, unless a pause follows. */
  #hasFailed = false;
  /** Whether a settle() wants every answer. */
  #isRunning = false;
  /** Whether it asks after a pause: edits do not delay that. */
  #isRetry = false;
  #unsubscribe;
  /** Whether it has looked for what to ask since it last rested. */
  #hasRound = false;
  /** Waits that are over, with what is `expected` of them. */
  #over = [];
  /** Calls whose signal must have aborted. */
  #dropped = [];
  /** The instance is gone that had the facts, and the basket has not noticed. */
  #isLost = false;
  /** What it shows until it has a reason to show something else. */
  #stale;
  #isEditing = false;
  #isBroken = false;
  #given;
  /** The same, unless its facts were lost since: then nothing is shared. */
  #shared;
  /** By the identity of a product, the key of its row. */
  #keys = new Map();

  constructor(shop, order, debounceMs, retryMs = RETRY_MS) {
    super(shop, new NaiveBasket(order, { options: shop.options, zones: shop.zones, asksZones: shop.asksZones }));
    this.order = order;
    this.#debounceMs = debounceMs;
    this.#retryMs = retryMs;
  }

  /** Makes the basket. Returns false if the module breaks meanwhile. */
  begin() {
    const isUsual = this.#debounceMs === DEBOUNCE_MS && this.#retryMs === RETRY_MS;
    const autoSettle = this.#isAuto && (isUsual || { debounceMs: this.#debounceMs, retryMs: this.#retryMs });
    const isMade = this.#edit(() => {
      this.basket = this.shop.pricer.basket(this.order, { context: this, autoSettle });
      this.#subscribe();
    });
    if (isMade) this.#edited();
    return isMade;
  }

  /** Subscribes, or ends that: without a subscriber each pause runs once. */
  watch() {
    if (this.#unsubscribe) {
      this.#unsubscribe();
      this.#unsubscribe = undefined;
      return;
    }
    if (this.#isAuto) this.notice();
    this.shop.as(this, () => this.#subscribe());
  }

  #subscribe() {
    this.#given = undefined;
    this.#shared = undefined;
    this.#unsubscribe = this.basket.subscribe((snapshot) => this.shop.check(() => this.#told(snapshot)));
  }

  get #isAuto() {
    return this.#debounceMs !== undefined;
  }

  get lines() {
    return this.naive.order.productList.length;
  }

  /** What an edit is drawn for. */
  get size() {
    return { lines: this.lines, order: this.naive.order, isHuge: this.shop.isHuge };
  }

  // ---- actions

  edit(name, argument) {
    if (this.isFreed) return;
    const { naive } = this;
    const before = { shown: this.#stale ?? naive.shown };
    const isNews = this.notice();
    Object.assign(before, { order: structuredClone(naive.order), ids: [...naive.ids], slots: naive.slots });
    naive.apply(name, argument);
    const isChanged = name === "refresh" || wording(before) !== wording(naive);
    const { snapshot } = this.basket;
    if (!this.#edit(() => this.basket[name](...argument))) {
      Object.assign(naive, { order: before.order, ids: before.ids, slots: before.slots });
      // It follows a loss of its facts in this turn, and notices the next one then.
      if (!isNews || !this.notice()) this.#stale = before.shown;
      return;
    }
    if (!isChanged) return assert.equal(this.basket.snapshot, snapshot, `${name} with what counts already`);
    this.#stale = undefined;
    this.#dropUseless();
    if (!this.isUnclear) this.#checkShown();
    if (name === "refresh" && argument.length === 0) this.#endPauses();
    this.#edited();
  }

  /** A wrong edit changes nothing. */
  wrongEdit({ name, argument }) {
    if (this.isFreed || this.#isLost) return;
    const { snapshot } = this.basket;
    assert.throws(() => this.shop.as(this, () => this.basket[name](...argument)), PricingError, name);
    assert.equal(this.basket.snapshot, snapshot, `a wrong ${name}`);
  }

  /** Runs an edit. Returns false if the module breaks in it, before it counts. */
  #edit(run) {
    this.#isEditing = true;
    this.#isBroken = false;
    try {
      this.shop.as(this, run);
    } catch (error) {
      if (!this.#isBroken) throw error;
      assert.equal(error.code, "INTERNAL");
    } finally {
      this.#isEditing = false;
    }
    return !this.#isBroken;
  }

  settle() {
    if (this.isFreed) return;
    const controller = new AbortController();
    const wait = { controller };
    this.waits.push(wait);
    for (const entry of this.out) entry.isWanted = true;
    this.#run();
    const promise = this.shop.as(this, () => this.basket.settle({ signal: controller.signal }));
    promise.then(
      (value) => (wait.outcome = { value }),
      (error) => (wait.outcome = { error }),
    );
  }

  abort(wait) {
    this.#endWaits({ code: "ABORTED" }, [wait]);
    wait.controller.abort();
  }

  free() {
    if (this.isFreed) return;
    this.isFreed = true;
    this.#endWaits({ code: "ABORTED" });
    this.#dropAll();
    this.shop.as(this, () => this.basket.free());
  }

  /** The host never let it come to an end. */
  gaveUp() {
    this.#failed({ code: "INTERNAL", message: /^The basket changed in each of \d+ rounds of look-ups$/ });
  }

  zonesArrived(zones) {
    if (this.isFreed) return;
    const isOut = this.out.size > 0;
    this.notice();
    this.#stale = undefined;
    this.zonesTaken(zones);
    if (this.#isRunning || isOut) this.round();
    else this.#edited();
  }

  zonesSet(zones) {
    if (this.isFreed) return;
    this.notice();
    this.#stale = undefined;
    this.zonesTaken(zones);
    this.#edited();
  }

  // ---- damage

  lost() {
    if (!this.isFreed) this.#isLost = true;
    this.#shared = undefined;
  }

  /** The module broke in what this basket did. */
  broke(entry) {
    if (this.#isEditing && this.basket && FOLLOWING.includes(entry)) this.notice();
    else if (this.#isEditing) this.#isBroken = true;
    else if (entry === "response") this.#brokeAtRest();
    else {
      this.#failed();
      this.notice();
    }
  }

  /** Only those hear of it who wait for the response. */
  #brokeAtRest() {
    this.#settleDown();
    for (const wait of this.#over) wait.expected = { code: "INTERNAL" };
  }

  notice() {
    if (!this.#isLost) return false;
    this.#isLost = false;
    this.#shared = undefined;
    this.isAgain = this.isUnclear && this.hasJustAskedZones;
    this.#dropAll();
    this.#endPauses(MODULE);
    this.naive.lose();
    this.round();
    return true;
  }

  #failed(expected = { code: "INTERNAL" }) {
    this.#isRunning = false;
    this.#hasRound = false;
    this.#dropAll();
    this.#endWaits(expected);
    if (!this.#isAuto) return;
    this.#debounceEnd = undefined;
    this.#endPauses(MODULE);
    this.#hasFailed = true;
    this.renewed.delete("zones"); // they were asked for unseen, and rest again
    this.#pause(MODULE);
  }

  // ---- time

  #edited() {
    if (!this.isUnclear) this.#resume();
    if (this.#isAuto) {
      const { pending, blocked, areSlotsOpen } = this.naive.shown;
      const isOpen = areSlotsOpen || pending.length + blocked.length > 0;
      this.#debounceEnd = isOpen && !this.isUnclear ? this.shop.now + Math.max(1, this.#debounceMs) : undefined;
    }
    if (this.#isRunning && this.#debounceEnd === undefined) this.round();
    else this.#hasRound = false;
  }

  #resume() {
    this.#hasFailed = this.#isInPause(MODULE);
  }

  #run() {
    this.#endTimers();
    this.#resume();
    this.#isRunning = true;
    this.notice();
    this.round();
    for (const name of [...Object.keys(KIND), COUPONS]) this.#renew(name, () => true);
  }

  /** Lets what failed in a look-up be asked again. */
  #renew(name, isMeant) {
    const { naive } = this;
    const isAgain = (fault) => fault !== undefined && isMeant(fault);
    if (name === COUPONS) {
      if (!this.#areCouponsOut && isAgain(naive.couponFault)) this.renewed.add("coupons");
      return;
    }
    for (const key of naive.toAsk[KIND[name]]) if (isAgain(naive.faultOf(KIND[name], key))) this.renewed.add(key);
  }

  get #areCouponsOut() {
    return [...this.out].some(({ name }) => name === COUPONS);
  }

  // ---- pauses

  /** Whether something has failed there that may be asked again. */
  #hasFault(name) {
    const { naive } = this;
    if (name === COUPONS) return Boolean(naive.couponFault?.retryable);
    return naive.needed[KIND[name]].some((key) => naive.faultOf(KIND[name], key)?.retryable);
  }

  /** Whether it waits there for a pause. */
  #rests(name) {
    const { naive } = this;
    if (name === COUPONS) return this.#hasFault(name) && !this.#areCouponsOut && !this.renewed.has("coupons");
    const isResting = (key) => naive.faultOf(KIND[name], key)?.retryable && !this.renewed.has(key);
    return naive.toAsk[KIND[name]].some(isResting);
  }

  #updatePauses() {
    if (!this.#isAuto) return;
    if (this.#hasFailed) return this.#pause(MODULE);
    for (const name of [...Object.keys(KIND), COUPONS]) if (this.#rests(name)) this.#pause(name);
    const { pending, blocked } = this.naive.shown;
    const areCouponsDown = this.#isInPause(COUPONS) || [...pending, ...blocked].includes("coupons");
    for (const name of this.#pauses.keys()) {
      const isNeeded = name === MODULE || this.#hasFault(name) || (name === COUPONS && areCouponsDown);
      if (!isNeeded) this.#pauses.delete(name);
    }
  }

  #pause(name) {
    if (this.#retryMs.length === 0) return;
    const pause = this.#pauses.get(name) ?? { tries: 0 };
    this.#pauses.set(name, pause);
    if (pause.end !== undefined || (pause.tries >= this.#retryMs.length && !this.#unsubscribe)) return;
    const ms = this.#retryMs[pause.tries] ?? this.#retryMs.at(-1);
    pause.end = this.shop.now + ms * (1 + 0.2 * randomAt(this.shop.now));
    pause.tries += 1;
  }

  #isInPause(name) {
    return this.#pauses.get(name)?.end !== undefined;
  }

  get #ends() {
    return [...this.#pauses.values()].flatMap(({ end }) => end ?? []);
  }

  get times() {
    return this.isFreed ? [] : [...super.times, this.#debounceEnd, ...this.#ends];
  }

  passed(at) {
    if (this.isFreed) return;
    // What the host does then to the second of them is nowhere said.
    if (this.times.filter((time) => time === at).length > 1) this.shop.inside = undefined;
    super.passed(at);
    if (this.#debounceEnd === at) {
      this.#debounceEnd = undefined;
      this.notice();
      this.round();
    }
    for (const [name, pause] of this.#pauses) if (pause.end === at) this.#retry(name, pause);
  }

  #retry(name, pause) {
    pause.end = undefined;
    this.notice();
    this.round();
    this.#isRetry = true;
    if (name === MODULE) this.#resume();
    else this.#renew(name, ({ retryable }) => retryable);
  }

  /** Whether something will come by itself. */
  get #isSettling() {
    const { pending, areSlotsOpen } = this.naive.shown;
    const isOpen = areSlotsOpen || pending.length > 0;
    const needs = {
      [MODULE]: () => isOpen || [...Object.keys(KIND), COUPONS].some((name) => this.#hasFault(name)),
      [COUPONS]: () => this.#hasFault(COUPONS) || pending.includes("coupons"),
    };
    const isInPause = [...this.#pauses].some(([name, { end }]) => end !== undefined && (needs[name]?.() ?? this.#hasFault(name)));
    return this.out.size > 0 || (this.#debounceEnd !== undefined && isOpen) || isInPause;
  }

  round() {
    this.#stale = undefined;
    this.#hasRound = true;
  }

  #endTimers() {
    this.#debounceEnd = undefined;
    this.#endPauses();
  }

  #endPauses(kept) {
    for (const name of this.#pauses.keys()) if (name !== kept) this.#pauses.delete(name);
  }

  get timers() {
    if (this.isFreed) return [];
    const calls = this.shop.deadlineMs > 0 ? [...this.out].map(({ isWanted }) => isWanted) : [];
    const own = [this.#debounceEnd, ...this.#ends].filter((end) => end !== undefined).map(() => false);
    return [...calls, ...own, ...this.limitTimers];
  }

  /** Whether it may ask, but for the pause after an edit. */
  get #isActive() {
    return this.#isRunning || (this.#isAuto && !this.#hasFailed);
  }

  get mayAsk() {
    return this.#isActive && (this.#debounceEnd === undefined || this.#isRetry);
  }

  get mustAsk() {
    return this.#isActive && (this.#debounceEnd === undefined || (this.#isRetry && this.#hasRound));
  }

  get mayAskCoupons() {
    return this.#debounceEnd === undefined && (this.#isRunning || !this.#isInPause(COUPONS));
  }

  checkMay(name) {
    assert.ok(this.mayAsk, `${name} is asked though nobody wants it now`);
    if (name === "validateCoupons") assert.ok(this.mayAskCoupons, "coupons are asked while a customer edits, or in their pause");
  }

  // ---- at rest

  rest() {
    if (this.isFreed) return this.#restFreed();
    this.joinAgain();
    if (this.isUnclear) this.#forgetAborted();
    if (this.isUnclear && this.mayAsk) this.notice();
    if (!this.#isLost) {
      this.#dropUseless();
      this.joinZones();
      if (this.mustAsk) this.checkAsked();
      this.#updatePauses();
      if (this.#hasRound) this.#settleDown();
      for (const { name, signal } of this.out) assert.ok(!signal?.aborted, `${name} is dropped, and needed`);
      if (!this.#stale) assert.equal(this.basket.snapshot.isSettling, this.#isSettling, "isSettling");
      assertExplained(this.basket);
    }
    this.#hasRound = false;
    this.#isRetry = false;
    this.isUnclear = false;
    this.isAgain = false;
    this.#checkShown();
    if (this.#unsubscribe) assert.equal(this.#given, this.basket.snapshot, "a listener was not told of the newest snapshot");
    this.#checkDropped();
    this.#checkWaits();
  }

  #restFreed() {
    this.#checkDropped();
    this.#checkWaits();
    assert.throws(() => this.basket.setCoupons(["A"]), { code: "VALIDATION_ERROR", path: "basket" });
    this.isGone = true;
  }

  /** Nothing is out: the waits end, unless something is left to ask. */
  #settleDown() {
    if (!this.#isActive || this.#debounceEnd !== undefined || this.out.size > 0) return;
    this.#isRunning = false;
    this.#pauses.delete(MODULE);
    this.#endWaits(this.#result);
  }

  get #result() {
    const { problems, totals } = this.naive.shown;
    if (this.lines === 0) return { code: "VALIDATION_ERROR" };
    return problems.length > 0 ? { problem: problems[0] } : { totals };
  }

  #endWaits(expected, waits = [...this.waits]) {
    this.waits = this.waits.filter((wait) => !waits.includes(wait));
    this.#over.push(...waits.map((wait) => Object.assign(wait, { expected })));
  }

  #checkWaits() {
    for (const { outcome } of this.waits) assert.equal(outcome, undefined, "a settle() ends too early");
    for (const { outcome, expected } of this.#over.splice(0)) {
      const { code, message = /./, problem, totals } = expected;
      assert.ok(outcome, `a settle() goes on, and should end: ${JSON.stringify(expected)}`);
      if (code) this.#checkError(outcome.error, code, message);
      else if (problem) assert.deepEqual(outcome.error && said(outcome.error), problem, "the error of a settle()");
      else for (const [name, total] of Object.entries(totals)) assert.equal(outcome.value?.[name], total, `a settle() gives ${name}`);
    }
  }

  #checkError(error, code, message) {
    assert.equal(error?.code, code, "the error of a settle()");
    assert.match(error.message, message);
    assert.equal(error.retryable, code === "INTERNAL", "retryable");
  }

  #dropUseless() {
    for (const entry of this.out) if (this.naive.isUseless(entry.call)) this.#drop(entry);
  }

  #dropAll() {
    for (const entry of this.out) this.#drop(entry);
  }

  #drop(entry) {
    this.naive.aborted(entry.call);
    this.out.delete(entry);
    if (entry.signal) this.#dropped.push(entry);
  }

  /** What the host did inside a call has ended some calls. */
  #forgetAborted() {
    for (const entry of this.out) if (entry.signal?.aborted) this.#drop(entry);
  }

  #checkDropped() {
    for (const { name, signal } of this.#dropped.splice(0)) assert.ok(signal.aborted, `${name} is of no use any more, and runs on`);
  }

  #checkShown() {
    const { snapshot } = this.basket;
    assertShows(snapshot, this.#stale ?? this.naive.shown);
    assert.deepEqual(meaning(snapshot.order), meaning(this.naive.order), "order");
    this.#checkKeys(snapshot);
  }

  /** Each row keeps its key, and no key is used twice. */
  #checkKeys({ rows }) {
    this.naive.ids.forEach((id, line) => {
      const { key } = rows[line];
      if (!this.#keys.has(id)) assert.ok(![...this.#keys.values()].includes(key), `the key ${key} was used before`);
      this.#keys.set(id, this.#keys.get(id) ?? key);
      assert.equal(key, this.#keys.get(id), `the key of rows[${line}]`);
    });
  }

  #told(snapshot) {
    assert.ok(!this.isFreed, "a freed basket tells its listeners");
    assert.notEqual(snapshot, this.#given, "a listener is told twice");
    assertFrozen(snapshot);
    if (this.#shared) assertShared(this.#shared, snapshot, "snapshot");
    this.#shared = snapshot;
    this.#given = snapshot;
    if (!this.basket) return;
    assert.equal(snapshot, this.basket.snapshot, "a listener is told of an old snapshot");
    if (!this.#isEditing || this.isUnclear) return;
    this.#stale = undefined;
    this.#checkShown();
  }
}
