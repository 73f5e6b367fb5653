// What a basket and an order have in common: the calls that are out, by the naive model of what is asked and answered.
import assert from "node:assert/strict";
import { keysOf } from "../model/basket.js";

/** Without a deadline, a call for the zones is joined for so long. */
export const JOINED_MS = 5_000;

/** What each look-up answers, without the coupons. */
export const KIND = { lookupPrices: "prices", nationwideRate: "rates", lookupVouchers: "vouchers", deliveryZones: "zones" };

export class Life {
  /** All calls of the host. A call for the zones has no signal: it belongs to the pricer. */
  calls = [];
  out = new Set();
  /** The keys that have failed and are asked again. */
  renewed = new Set();

  /** The host acts inside a call of this turn: what it is asked may be out of date. */
  isUnclear = false;
  /** A call of the host is running, which acts. */
  isInside = false;
  /** In this turn it has asked for zones, and lost that call: it joins the pricer's. */
  isAgain = false;

  constructor(shop, naive) {
    this.shop = shop;
    this.naive = naive;
  }

  // ---- questions

  asked(entry) {
    const { shop, naive } = this;
    this.notice();
    shop.check(() => assert.ok(!this.isInside, "the host is asked from inside its own call"));
    if (!this.isUnclear) shop.check(() => this.#checkQuestion(entry));
    for (const key of keysOf(entry.name, entry.argument)) this.renewed.delete(key);
    if (entry.name === "validateCoupons") this.renewed.delete("coupons");
    entry.call = naive.asked(entry.name, entry.argument);
    this.calls.push(entry);
    this.#isOut(entry);
  }

  #isOut(entry) {
    entry.isWanted = this.waits.length > 0;
    if (this.shop.deadlineMs > 0) entry.deadline = this.shop.now + this.shop.deadlineMs;
    this.out.add(entry);
  }

  get #isOutForOrder() {
    return [...this.out].some(({ call }) => this.naive.isForOrder(call));
  }

  #checkQuestion({ name, argument }) {
    const { naive } = this;
    this.checkMay(name);
    if (name === "validateCoupons") {
      const { request, isReadyForCoupons } = naive.shown;
      assert.equal(JSON.stringify(argument), request, "the request of the coupons");
      assert.ok(isReadyForCoupons, "coupons are asked before the rest has answered, or after a failure");
      assert.ok(naive.couponsToAsk !== undefined, "coupons are asked that are known");
      assert.ok(!this.#isOutForOrder, "coupons are asked while a call is out that the order needs");
      assert.ok(!naive.couponFault || this.renewed.has("coupons"), "failed coupons are asked though nobody wants it");
      return;
    }
    const kind = KIND[name];
    const keys = keysOf(name, argument);
    assert.ok(keys.length > 0, `${name} is asked nothing`);
    assert.equal(new Set(keys).size, keys.length, `${name}: a key is asked twice`);
    for (const key of keys) {
      assert.ok(naive.toAsk[kind].includes(key), `${key} is known, out or not needed`);
      assert.ok(!naive.faultOf(kind, key) || this.renewed.has(key), `${key} has failed and is asked though nobody wants it`);
    }
  }

  /** What must have been asked by now. */
  get #unasked() {
    const { naive } = this;
    const { zones, ...kinds } = naive.toAsk;
    const unasked = Object.entries(kinds).flatMap(([kind, keys]) =>
      keys.filter((key) => !naive.faultOf(kind, key) || this.renewed.has(key)),
    );
    const isCoupons = this.mayAskCoupons && naive.shown.isReadyForCoupons && !this.#isOutForOrder && naive.couponsToAsk !== undefined;
    return isCoupons && (!naive.couponFault || this.renewed.has("coupons")) ? [...unasked, "coupons"] : unasked;
  }

  checkAsked() {
    assert.deepEqual(this.#unasked, [], "needed, and not asked");
  }

  /** Tells the naive model what became of a call that is out. */
  heard(entry, tell) {
    if (!this.out.has(entry)) return;
    this.round();
    if (this.notice()) return;
    this.out.delete(entry);
    tell(this.naive, entry.call);
  }

  round() {}

  /** Notices that the instance is gone that had the facts. */
  notice() {
    return false;
  }

  endCalls() {
    for (const entry of this.out) this.naive.aborted(entry.call);
    this.out.clear();
  }

  // ---- the zones

  get wantsZones() {
    const isOpen = this.naive.toAsk.zones.length > 0 && (!this.naive.faultOf("zones", "zones") || this.renewed.has("zones"));
    return (isOpen && this.mayAsk) || this.#zonesOut.some(({ isLimitOver }) => isLimitOver);
  }

  get #zonesOut() {
    return [...this.out].filter(({ name }) => name === "deliveryZones");
  }

  /** Whether the newest call for the zones began in this turn, with its own question. */
  get hasJustAskedZones() {
    const { joinable, now } = this.shop;
    return joinable?.owner === this && joinable.at === now;
  }

  get waitsForZones() {
    return this.#zonesOut.length > 0;
  }

  /** Who has joined a call for too long joins another, or asks. */
  joinAgain() {
    for (const entry of this.#zonesOut.filter(({ isLimitOver }) => isLimitOver)) this.#join(entry);
  }

  /** Nobody sees a basket or an order join a call for the zones: it must have, if it needs them. */
  joinZones() {
    const { naive } = this;
    if (!this.mustAsk || naive.toAsk.zones.length === 0) return;
    if (naive.faultOf("zones", "zones") && !this.renewed.has("zones")) return;
    this.renewed.delete("zones");
    const entry = { life: this, name: "deliveryZones", call: naive.asked("deliveryZones") };
    this.#isOut(entry);
    this.#join(entry);
  }

  #join(entry) {
    const { shop } = this;
    assert.ok(shop.isJoinable, "the zones are needed, and not asked");
    const isOwn = this.hasJustAskedZones && !this.isAgain;
    entry.zones = shop.joinable;
    entry.isLimitOver = false;
    entry.limit = shop.deadlineMs > 0 || isOwn ? undefined : shop.now + JOINED_MS;
  }

  zonesFailed(zones, message, isFinal) {
    for (const entry of this.#zonesOut) {
      if (entry.zones === zones) this.heard(entry, (naive, call) => naive.failed(call, message, isFinal));
    }
  }

  zonesTaken(zones) {
    for (const entry of this.#zonesOut) {
      this.naive.aborted(entry.call);
      this.out.delete(entry);
    }
    this.naive.setZones(zones);
  }

  get limitTimers() {
    return this.#zonesOut.filter(({ limit }) => limit !== undefined).map(() => true);
  }

  // ---- time

  get times() {
    return [...this.out].flatMap(({ deadline, limit }) => [deadline, limit]);
  }

  /** What ends at this time. */
  passed(at) {
    for (const entry of [...this.out]) {
      if (entry.deadline === at) this.#late(entry);
      else if (entry.limit === at) {
        entry.isLimitOver = true;
        this.shop.dropZones(entry.zones);
      }
    }
  }

  #late(entry) {
    if (entry.zones) this.shop.dropZones(entry.zones);
    this.heard(entry, (naive, call) => naive.failed(call, `${entry.name} did not answer within ${this.shop.deadlineMs} ms`));
  }
}
