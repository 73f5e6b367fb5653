// One basket, and what must hold of it: what it shows, what it asks and when, what it drops, and how its waits end.
import assert from "node:assert/strict";
import { NaiveBasket } from "../model/basket.js";
import { assertShows, meaning, said } from "../package/basket-shown.js";
import { Life } from "./life.js";

/** What a basket waits that settles by itself, and is told nothing else. */
const DEBOUNCE_MS = 150;
const PAUSES_MS = [1_000, 2_000, 4_000];
/** The entries of the module after which an edit counts: it stands if they break. */
const FOLLOWING = ["useless", "changes"];

export class BasketLife extends Life {
  /** Those who wait for a settle(): `{ controller, outcome }`. */
  waits = [];
  isFreed = false;
  isGone = false;
  /** Undefined if it does not settle by itself. */
  #debounceMs;
  #debounceEnd;
  #pauseEnd;
  #retries = 0;
  /** Whether it asks until nothing is open. */
  #isRunning = false;
  /** Whether it asks after a pause: edits do not delay that. */
  #isRetry = false;
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

  constructor(shop, order, debounceMs) {
    super(shop, new NaiveBasket(order, { zones: shop.zones, asksZones: shop.asksZones }));
    this.order = order;
    this.#debounceMs = debounceMs;
  }

  /** Makes the basket. Returns false if the module breaks meanwhile. */
  begin() {
    const autoSettle = this.#isAuto && (this.#debounceMs === DEBOUNCE_MS || { debounceMs: this.#debounceMs });
    const isMade = this.#edit(() => {
      this.basket = this.shop.pricer.basket(this.order, { context: this, autoSettle });
      this.basket.subscribe((snapshot) => this.shop.check(() => this.#told(snapshot)));
    });
    if (isMade) this.#edited();
    return isMade;
  }

  get #isAuto() {
    return this.#debounceMs !== undefined;
  }

  get lines() {
    return this.naive.order.productList.length;
  }

  // ---- actions

  edit(name, argument) {
    if (this.isFreed) return;
    const { naive } = this;
    const before = { shown: this.#stale ?? naive.shown };
    this.#noticeQuietly();
    Object.assign(before, { order: structuredClone(naive.order), ids: [...naive.ids] });
    naive.apply(name, argument);
    const isChanged = name === "refresh" || JSON.stringify(meaning(before.order)) !== JSON.stringify(meaning(naive.order));
    const { snapshot } = this.basket;
    if (!this.#edit(() => this.basket[name](...argument))) {
      this.#stale = before.shown;
      return Object.assign(naive, { order: before.order, ids: before.ids });
    }
    if (!isChanged) return assert.equal(this.basket.snapshot, snapshot, `${name} with what counts already`);
    this.#stale = undefined;
    this.#dropUseless();
    if (!this.isUnclear) this.#checkShown();
    this.#edited();
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
    if (this.lines === 0) {
      this.#noticeQuietly();
      this.#endWaits({ code: "VALIDATION_ERROR" }, [wait]);
    } else {
      for (const entry of this.out) entry.isWanted = true;
      this.#retries = 0;
      this.#run();
    }
    const promise = this.shop.as(this, () => this.basket.settle({ signal: controller.signal }));
    promise.then((value) => (wait.outcome = { value }), (error) => (wait.outcome = { error }));
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
    this.notice();
    this.#stale = undefined;
    this.zonesTaken(zones);
    if (this.#isRunning) this.round();
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
    this.isAgain = this.isUnclear;
    this.#stale = undefined;
    this.#dropAll();
    this.naive.lose();
    return true;
  }

  /** Notices it, and shows what it showed, unless somebody waits. */
  #noticeQuietly() {
    const shown = this.#stale ?? this.naive.shown;
    if (!this.notice()) return;
    if (this.#isRunning && this.#debounceEnd === undefined) this.round();
    else this.#stale = shown;
  }

  #failed(expected = { code: "INTERNAL" }) {
    this.#isRunning = false;
    this.#hasRound = false;
    this.#dropAll();
    this.#endWaits(expected);
    if (this.#hasRetries) this.#pause();
  }

  // ---- time

  #edited() {
    if (this.#isAuto) {
      const { pending, problems } = this.naive.shown;
      const isOpen = pending.length > 0 || problems.some(({ code }) => code.endsWith("_FAILED"));
      this.#debounceEnd = isOpen && !this.isUnclear ? this.shop.now + Math.max(1, this.#debounceMs) : undefined;
    }
    if (this.#isRunning && this.#debounceEnd === undefined) this.round();
    else this.#hasRound = false;
  }

  #run() {
    this.#endTimers();
    this.#isRetry = false;
    this.#begin(() => true);
  }

  #begin(isMeant) {
    this.#isRunning = true;
    this.notice();
    this.round();
    const { naive } = this;
    for (const [kind, keys] of Object.entries(naive.toAsk)) {
      for (const key of keys) {
        const fault = naive.faultOf(kind, key);
        if (fault && isMeant(fault)) this.renewed.add(key);
      }
    }
    const areCouponsOut = [...this.out].some(({ name }) => name === "validateCoupons");
    if (!areCouponsOut && naive.couponFault && isMeant(naive.couponFault)) this.renewed.add("coupons");
  }

  round() {
    this.#stale = undefined;
    this.#hasRound = true;
  }

  #endTimers() {
    this.#debounceEnd = undefined;
    this.#pauseEnd = undefined;
  }

  get #hasRetries() {
    return this.#isAuto && this.#retries < PAUSES_MS.length;
  }

  #pause() {
    this.#pauseEnd = this.shop.now + PAUSES_MS[this.#retries];
    this.#retries += 1;
  }

  get times() {
    return this.isFreed ? [] : [...super.times, this.#debounceEnd, this.#pauseEnd];
  }

  passed(at) {
    if (this.isFreed) return;
    super.passed(at);
    if (this.#debounceEnd === at) {
      this.#debounceEnd = undefined;
      if (this.#pauseEnd === undefined) {
        this.#retries = 0;
        this.#run();
      }
    }
    if (this.#pauseEnd === at) {
      this.#pauseEnd = undefined;
      this.#isRetry = true;
      this.#begin(({ retryable }) => retryable);
    }
  }

  get timers() {
    if (this.isFreed) return [];
    const calls = this.shop.deadlineMs > 0 ? [...this.out].map(({ isWanted }) => isWanted) : [];
    const own = [this.#debounceEnd, this.#pauseEnd].filter((end) => end !== undefined).map(() => false);
    return [...calls, ...own, ...this.limitTimers];
  }

  get mayAsk() {
    return this.#isRunning && (this.#debounceEnd === undefined || this.#isRetry);
  }

  get mustAsk() {
    return this.#isRunning && (this.#debounceEnd === undefined || (this.#isRetry && this.#hasRound));
  }

  get mayAskCoupons() {
    return this.#debounceEnd === undefined;
  }

  checkMay(name) {
    assert.ok(this.mayAsk, `${name} is asked though nobody wants it now`);
    if (name === "validateCoupons") assert.ok(this.mayAskCoupons, "coupons are asked while a customer edits");
  }

  // ---- at rest

  rest() {
    if (this.isFreed) return this.#restFreed();
    this.joinAgain();
    if (this.isUnclear) this.#forgetAborted();
    if (this.isUnclear && this.#isRunning) this.notice();
    if (!this.#isLost) {
      this.#dropUseless();
      this.joinZones();
      if (this.mustAsk) this.checkAsked();
      if (this.#hasRound) this.#settleDown();
      for (const { name, signal } of this.out) assert.ok(!signal?.aborted, `${name} is dropped, and needed`);
      if (!this.#stale) assert.equal(this.basket.snapshot.isSettling, this.out.size > 0, "isSettling");
    }
    this.#hasRound = false;
    this.isUnclear = false;
    this.isAgain = false;
    this.#checkShown();
    assert.equal(this.#given, this.basket.snapshot, "a listener was not told of the newest snapshot");
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
    if (!this.#isRunning || this.out.size > 0) return;
    const { problems } = this.naive.shown;
    const willRetry = this.#hasRetries && problems.some(({ retryable }) => retryable);
    if (willRetry) this.#endTimers();
    if (!this.mayAsk) return;
    this.#isRunning = false;
    this.#endWaits(this.#result);
    if (problems.length === 0) this.#retries = 0;
    else if (willRetry) this.#pause();
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
    assertShows(this.basket.snapshot, this.#stale ?? this.naive.shown);
  }

  #told(snapshot) {
    assert.ok(!this.isFreed, "a freed basket tells its listeners");
    assert.notEqual(snapshot, this.#given, "a listener is told twice");
    this.#given = snapshot;
    if (!this.basket) return;
    assert.equal(snapshot, this.basket.snapshot, "a listener is told of an old snapshot");
    if (!this.#isEditing || this.isUnclear) return;
    this.#stale = undefined;
    this.#checkShown();
  }
}
