// What a change does to the money of many orders. Tallies of parts add up to that of the whole, exactly.
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
    for (const [side, more] of [
      [this.up, up],
      [this.down, down],
    ]) {
      side.orders += more.orders;
      side.money += more.money;
    }
  }

  get net() {
    return this.up.money - this.down.money;
  }

  report() {
    const shown = ({ orders, money }) => ({ orders, baht: moneyText(money) });
    return { up: shown(this.up), down: shown(this.down), net: moneyText(this.net) };
  }
}

/** How many orders, and their money. */
class Count {
  orders = 0;
  money = 0n;

  add(money) {
    this.orders += 1;
    this.money += money;
  }

  merge({ orders, money }) {
    this.orders += orders;
    this.money += money;
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

  /**
   * Adds an order. `index` is its place among all, so that a report does not depend on who counted it.
   * @param {{ requestId: string, index: number }} order
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
    if (delta !== 0n) this.#rank({ ...order, before: captured.total, after: after.total, delta });
    const priced = /** @type {import("./answer.js").PricedAnswer} */ (after);
    for (const [cprcode, change] of productChanges(captured, priced)) this.#addProduct(cprcode, change);
  }

  #addUnpriced(captured, after) {
    if (!captured.hasFailed) this.unusable += 1;
    else if (after.total === undefined) this.stillFailing += 1;
    else this.newlyPriced.add(after.total);
  }

  #addFailure({ requestId, index }, captured, stages) {
    this.newlyFailing.add(captured.total);
    // What it was that failed the order: the first stage after which no other has priced it.
    const at = stages.findLastIndex(({ total }) => total !== undefined) + 1;
    const [cause, { code, message }] = [CAUSES[at], /** @type {any} */ (stages[at]).failure];
    const key = `${code} ${cause}`;
    const first = { requestId, index, message };
    mergeFailure(this.failures, key, { code, cause, orders: 1, money: captured.total, first });
  }

  #addProduct(cprcode, change) {
    let moves = this.products.get(cprcode);
    if (moves === undefined) this.products.set(cprcode, (moves = new Moves()));
    moves.add(change);
  }

  #rank(order) {
    if (this.largest.length === MOST_ORDERS && bySize(order, this.largest.at(-1)) >= 0) return;
    this.largest.push(order);
    this.largest.sort(bySize).splice(MOST_ORDERS);
  }

  /** Adds the tally of other orders, which may come from another thread, without its methods. */
  merge(other) {
    for (const name of ["orders", "unusable", "stillFailing"]) this[name] += other[name];
    for (const name of ["captured", "differences", "newlyFailing", "newlyPriced", "open"]) this[name].merge(other[name]);
    for (const [index, moves] of other.causes.entries()) this.causes[index].merge(moves);
    for (const [key, failure] of other.failures) mergeFailure(this.failures, key, failure);
    for (const order of other.largest) this.#rank(order);
    for (const [cprcode, moves] of other.products) {
      if (!this.products.has(cprcode)) this.products.set(cprcode, new Moves());
      this.products.get(cprcode).merge(moves);
    }
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
      largest: this.largest.map(({ requestId, before, after, delta }) => ({
        requestId,
        before: moneyText(before),
        after: moneyText(after),
        change: moneyText(delta),
      })),
      wouldFail: { ...this.newlyFailing.report(), codes: [...this.failures.values()].sort(byOrders).map(failureReport) },
      open: this.open.report(),
      newlyPriced: this.newlyPriced.report(),
      stillFailing: this.stillFailing,
      unusable: this.unusable,
    };
  }

  #topProducts() {
    const ranked = [...this.products].map(([cprcode, moves]) => ({ cprcode, moves, size: moves.up.money + moves.down.money }));
    ranked.sort((a, b) => compare(b.size, a.size) || Number(a.cprcode) - Number(b.cprcode));
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
  if (!known) return failures.set(key, { ...other });
  known.orders += other.orders;
  known.money += other.money;
  if (other.first.index < known.first.index) known.first = other.first;
  return failures;
}

const failureReport = ({ code, cause, orders, money, first }) => ({
  code,
  cause,
  orders,
  baht: moneyText(money),
  first: { requestId: first.requestId, message: first.message },
});

const compare = (a, b) => (a < b ? -1 : Number(a > b));

const bySize = (a, b) => compare(sizeOf(b.delta), sizeOf(a.delta)) || a.index - b.index;

const byOrders = (a, b) => b.orders - a.orders || compare(a.code, b.code);
