// One order that a pricer calculates, and what must hold of it.
import assert from "node:assert/strict";
import { NaiveBasket } from "../model/basket.js";
import { said } from "../package/basket-shown.js";
import { Life } from "./life.js";

/** What a problem or a pending part belongs to, in the order of D42. */
const PARTS = ["prices", "delivery", "vouchers", "coupons"];
const partOf = ({ code }) =>
  PARTS.findIndex((part) => ({ prices: /PRICE/, delivery: /RATE|BRANCH|ZONES/, vouchers: /VOUCHER/, coupons: /COUPON/ })[part].test(code));

export class OrderLife extends Life {
  #controller = new AbortController();
  #outcome;
  #expected;

  constructor(shop, order) {
    super(shop, new NaiveBasket(order, { options: shop.options, zones: shop.zones, asksZones: shop.asksZones }));
    this.order = order;
  }

  begin() {
    if (this.order.productList.length === 0) this.#expected = { code: "VALIDATION_ERROR" };
    const { signal } = this.#controller;
    this.shop.as(this, () => {
      const promise = this.shop.pricer.calculate(this.order, { context: this, signal });
      promise.then(
        (value) => (this.#outcome = { value }),
        (error) => (this.#outcome = { error }),
      );
    });
  }

  get isGone() {
    return this.#outcome !== undefined;
  }

  get waits() {
    return this.isGone ? [] : [this];
  }

  abort() {
    this.#expected = { code: "ABORTED" };
    this.endCalls();
    this.#controller.abort();
  }

  /** The instance is gone: an order that waits ends at once. */
  lost() {
    this.#expected ??= { code: "INTERNAL" };
    this.endCalls();
  }

  broke() {
    this.#expected = { code: "INTERNAL" };
  }

  get mayAsk() {
    return this.#expected === undefined;
  }

  checkMay() {
    assert.ok(this.mayAsk, "an order that is over asks");
  }

  get mustAsk() {
    return this.mayAsk;
  }

  get mayAskCoupons() {
    return true;
  }

  zonesArrived(zones) {
    if (this.waitsForZones) this.zonesTaken(zones);
  }

  zonesSet(zones) {
    this.zonesArrived(zones);
  }

  get timers() {
    const calls = this.shop.deadlineMs > 0 ? [...this.out].map(() => true) : [];
    return [...calls, ...this.limitTimers];
  }

  rest() {
    this.isUnclear = false;
    this.joinAgain();
    this.joinZones();
    this.#expected ??= this.#end();
    if (!this.#expected) {
      this.checkAsked();
      assert.equal(this.#outcome, undefined, "an order ends before its answers");
      for (const { signal } of this.out) assert.equal(signal?.aborted ?? false, false, "an order drops a call");
      return;
    }
    this.endCalls();
    assert.ok(this.#outcome, `an order goes on: ${JSON.stringify(this.#expected)}`);
    this.#checkOutcome();
    for (const { signal } of this.calls)
      assert.equal(signal.aborted, this.#outcome.error !== undefined, "the signal of an order that is over");
  }

  /** The first problem (D42), once nothing that comes before it is open; or the priced order. */
  #end() {
    const { problems, pending, totals, rows } = this.naive.shown;
    const [problem] = problems;
    const rank = problem ? partOf(problem) : Infinity;
    if (pending.some((part) => PARTS.indexOf(part) < rank)) return undefined;
    return problem ? { problem } : { totals, rows };
  }

  #checkOutcome() {
    const { error, value } = this.#outcome;
    const { code, problem, totals, rows } = this.#expected;
    if (code) return assert.equal(error?.code, code);
    if (problem) {
      assert.ok(error, "an order is priced in spite of a problem");
      return assert.deepEqual(said(error), problem);
    }
    assert.equal(error, undefined, "an order fails");
    for (const [name, total] of Object.entries(totals)) assert.equal(value[name], total, name);
    assert.deepEqual(
      value.productList,
      rows.map(({ problem: none, ...row }) => row),
    );
    return undefined;
  }
}
