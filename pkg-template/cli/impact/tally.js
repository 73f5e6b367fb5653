// What a change does to the money of many orders. Tallies of parts add up to that of the whole, exactly.
import { BrokenLines } from "../files/index.js";
import { productChanges } from "./answer.js";
import { moneyText, sizeOf } from "./money.js";
import { CAUSES } from "./stages.js";

/** How many products and orders a report names. */
const MOST_PRODUCTS = 20;
const MOST_ORDERS = 10;

/** Orders whose total goes up and down, and by how much. */
class Moves {
  up = { orders: 0, money: 0n };
  down = { orders: 0, money: 0n };

  add(delta) {
    if (delta === 0n) return;
    const side = delta > 0n ? this.up : this.down;
    side.orders += 1;
    side.money += sizeOf(delta);
  }

  merge({ up, down }) {
    addTo(this.up, up);
    addTo(this.down, down);
  }

  get net() {
    return this.up.money - this.down.money;
  }

  report() {
    const shown = ({ orders, money }) => ({ orders, baht: moneyText(money) });
    return { up: shown(this.up), down: shown(this.down), net: moneyText(this.net) };
  }
}

function addTo(sum, { orders, money }) {
  if (orders === 0) return; // most products of a tally move one way
  sum.orders += orders;
  sum.money += money;
}

/** How many orders, and their money. */
class Count {
  orders = 0;
  money = 0n;

  add(money) {
    this.orders += 1;
    this.money += money;
  }

  merge(other) {
    addTo(this, other);
  }

  report() {
    return { orders: this.orders, baht: moneyText(this.money) };
  }
}

export class Tally {
  orders = 0;
  /** Captures without a total and without a failure: nothing can be compared. */
  unusable = 0;
  stillFailing = 0;
  captured = new Count();
  differences = new Moves();
  causes = CAUSES.map(() => new Moves());
  newlyFailing = new Count();
  newlyPriced = new Count();
  open = new Count();
  /** By code and cause. */
  failures = new Map();
  /** By cprcode: `{ orders, up, down }`. */
  products = new Map();
  /** The orders that move most, the largest first. */
  largest = [];
  /** @type {BrokenLines | undefined} */
  broken;

  /** @param {boolean} [skipsBroken] counts lines that are no captures, too */
  constructor(skipsBroken) {
    if (skipsBroken) this.broken = new BrokenLines();
  }

  /**
   * Adds an order. `hash` is that of its capture: with it a report does not depend on who counted what.
   * @param {{ requestId: string, readonly hash: string }} order
   * @param {Awaited<ReturnType<import("./stages.js").Stages["run"]>>} outcome
   */
  add(order, { captured, stages, asksAnew }) {
    this.orders += 1;
    const after = stages[stages.length - 1];
    if (captured.total === undefined) return this.#addUnpriced(captured, after);
    this.captured.add(captured.total);
    if (after.total === undefined) return this.#addFailure(order, captured, stages);
    if (asksAnew) this.open.add(captured.couponMoney(captured.total));
    const delta = after.total - captured.total;
    this.differences.add(delta);
    let before = captured.total;
    for (const [index, { total = before }] of stages.entries()) {
      // A stage that fails by itself, but not in the end, leaves its money to the next one that prices the order.
      this.causes[index].add(total - before);
      before = total;
    }
    if (delta !== 0n) this.#rank({ order, before: captured.total, after: after.total });
    const priced = /** @type {import("./answer.js").PricedAnswer} */ (after);
    for (const [cprcode, change] of productChanges(captured, priced)) this.#addProduct(cprcode, change);
  }

  #addUnpriced(captured, after) {
    if (!captured.hasFailed) this.unusable += 1;
    else if (after.total === undefined) this.stillFailing += 1;
    else this.newlyPriced.add(after.total);
  }

  #addFailure(order, captured, stages) {
    this.newlyFailing.add(captured.total);
    // What it was that failed the order: the first stage after which no other has priced it.
    const at = stages.findLastIndex(({ total }) => total !== undefined) + 1;
    const [cause, { code, message }] = [CAUSES[at], /** @type {any} */ (stages[at]).failure];
    const key = `${code} ${cause}`;
    mergeFailure(this.failures, key, { code, cause, orders: 1, money: captured.total, first: { order, message } });
  }

  #addProduct(cprcode, change) {
    let moves = this.products.get(cprcode);
    if (moves === undefined) this.products.set(cprcode, (moves = new Moves()));
    moves.add(change);
  }

  #rank(moved) {
    if (this.largest.length === MOST_ORDERS && bySize(moved, this.largest.at(-1)) >= 0) return;
    this.largest.push({ ...moved, order: kept(moved.order) });
    this.largest.sort(bySize).splice(MOST_ORDERS);
  }

  /** Adds the tally of other orders, which may come from another thread or a file, without its methods. */
  merge(other) {
    for (const name of ["orders", "unusable", "stillFailing"]) this[name] += other[name];
    for (const name of ["captured", "differences", "newlyFailing", "newlyPriced", "open"]) this[name].merge(other[name]);
    for (const [index, moves] of other.causes.entries()) this.causes[index].merge(moves);
    for (const [key, failure] of other.failures) mergeFailure(this.failures, key, failure);
    for (const moved of other.largest) this.#rank(moved);
    for (const [cprcode, moves] of other.products) {
      if (!this.products.has(cprcode)) this.products.set(cprcode, new Moves());
      this.products.get(cprcode).merge(moves);
    }
    if (other.broken) (this.broken ??= new BrokenLines()).merge(other.broken);
  }

  /** The money that moves: what changes, and the whole of each order that fails now. */
  get moved() {
    return this.differences.up.money + this.differences.down.money + this.newlyFailing.money;
  }

  /** All findings, as `--format json` prints them. Amounts are text, so that they stay exact. */
  report() {
    const { up, down } = this.differences;
    const same = this.captured.orders - this.newlyFailing.orders - up.orders - down.orders;
    return {
      orders: this.orders,
      captured: this.captured.report(),
      same,
      ...this.differences.report(),
      moved: moneyText(this.moved),
      causes: this.causes.map((moves, index) => ({ cause: CAUSES[index], kind: KINDS[CAUSES[index]], ...moves.report() })),
      products: this.#topProducts(),
      otherProducts: Math.max(0, this.products.size - MOST_PRODUCTS),
      largest: this.largest.map(({ order: { requestId }, before, after }) => ({
        requestId,
        before: moneyText(before),
        after: moneyText(after),
        change: moneyText(after - before),
      })),
      wouldFail: { ...this.newlyFailing.report(), codes: [...this.failures.values()].sort(byOrders).map(failureReport) },
      open: this.open.report(),
      newlyPriced: this.newlyPriced.report(),
      stillFailing: this.stillFailing,
      unusable: this.unusable,
      broken: this.broken,
    };
  }

  #topProducts() {
    const ranked = [...this.products].map(([cprcode, moves]) => ({ cprcode, moves, size: moves.up.money + moves.down.money }));
    // The length first: codes are whole numbers.
    ranked.sort((a, b) => compare(b.size, a.size) || a.cprcode.length - b.cprcode.length || compare(a.cprcode, b.cprcode));
    return ranked.slice(0, MOST_PRODUCTS).map(({ cprcode, moves: { up, down, net } }) => ({
      cprcode,
      orders: up.orders + down.orders,
      up: moneyText(up.money),
      down: moneyText(down.money),
      net: moneyText(net),
    }));
  }
}

/** What a cause is about: a rule that is calculated otherwise, a delivery fee or a price. */
const KINDS = { package: "rule", policy: "rule", zones: "fee", prices: "price" };

function mergeFailure(failures, key, other) {
  const known = failures.get(key);
  const isFirst = known === undefined || byId(other.first.order, known.first.order) < 0;
  const first = isFirst ? { ...other.first, order: kept(other.first.order) } : known.first;
  if (known === undefined) return failures.set(key, { ...other, first });
  known.orders += other.orders;
  known.money += other.money;
  known.first = first;
  return failures;
}

/** A hash is calculated where it is read: only of few orders. */
const kept = ({ requestId, hash }) => ({ requestId, hash });

const failureReport = ({ code, cause, orders, money, first }) => ({
  code,
  cause,
  orders,
  baht: moneyText(money),
  first: { requestId: first.order.requestId, message: first.message },
});

const compare = (a, b) => (a < b ? -1 : Number(a > b));

const byId = (a, b) => compare(a.requestId, b.requestId) || compare(a.hash, b.hash);

/** @typedef {{ order: { requestId: string, readonly hash: string }, before: bigint, after: bigint }} Moved */

/**
 * @param {Moved} a
 * @param {Moved} b
 */
const bySize = (a, b) => compare(sizeOf(b.after - b.before), sizeOf(a.after - a.before)) || byId(a.order, b.order);

const byOrders = (a, b) => b.orders - a.orders || compare(a.code, b.code) || compare(a.cause, b.cause);
