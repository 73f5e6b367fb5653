// The live basket of a UI against a full recalculation: set one quantity, read the snapshot.
import { measure } from "../measure/index.js";
import { keptHost } from "./hosts.js";
import { facts, work, zonesText } from "./work.mjs";

/** The entrant's name. */
export const EDIT = "basket: setQuantity and its snapshot";

/** A phone: edits are also measured in Chromium with a CPU that is `rate` times slower, in baskets of `lines` lines. */
export const THROTTLED = { rate: 4, lines: 200 };

/** @typedef {import("order-cost").BasketSnapshot} BasketSnapshot */

/** Number of baskets; an edit takes the same time in each. */
const BASKETS = 4;
const MOST_UNITS = 9;

/** Edits in a round of `measureEdits`: Chromium throttles by pauses, and each round must have many of them. */
const EDITS = 500;

/**
 * Settles baskets of a set's orders. Returns a function that edits one of them.
 * @param {typeof import("order-cost").createPricer} createPricer
 * @param {import("./work.mjs").Item[]} items
 * @param {string} deliveryZones
 */
export async function prepareEdits(createPricer, items, deliveryZones) {
  const orders = items.slice(0, BASKETS).map(({ order }) => order);
  const pricer = await createPricer(keptHost(facts(orders)), { deliveryZones });
  const baskets = orders.map((order) => pricer.basket(order));
  for (const basket of baskets) same(await basket.settle(), basket.totals);
  const screens = baskets.map((basket) => new Screen(basket));
  const lines = orders[0].productList.length;
  let edits = 0;
  return () => {
    edits += 1;
    return screens[edits % BASKETS].edit(edits % lines);
  };
}

/**
 * Measures edits alone: microseconds per edit of baskets of `lines` lines, by round.
 * @param {typeof import("order-cost").createPricer} createPricer
 * @param {number} lines
 * @param {number} budgetMs
 */
export async function measureEdits(createPricer, lines, budgetMs) {
  const run = await prepareEdits(createPricer, work(lines), zonesText());
  const samples = await measure([{ name: EDIT, run }], Array(EDITS).fill(undefined), budgetMs);
  return samples[EDIT];
}

/** Reads all that a UI shows of each snapshot, but no row that is the same object as before. */
class Screen {
  #basket;
  /** @type {BasketSnapshot["rows"]} */
  #rows = [];
  #changedRows = 0;
  #values = 0;

  /** @param {import("order-cost").Basket} basket */
  constructor(basket) {
    this.#basket = basket;
    basket.subscribe((snapshot) => this.#read(snapshot));
  }

  /** Sets another quantity. Returns how many values were read. */
  edit(line) {
    const quantity = 1 + (this.#rows[line].quantity % MOST_UNITS);
    this.#basket.setQuantity(line, quantity);
    if (this.#changedRows !== 1) throw new Error(`An edit of line ${line} changed ${this.#changedRows} rows`);
    return this.#values;
  }

  /** @param {BasketSnapshot} snapshot */
  #read(snapshot) {
    const { rows, totals, status, isSettling, pending, problems } = snapshot;
    const { shipping, validVouchers, invalidVouchers, discountResult } = snapshot;
    const changed = [];
    // V8's filter() takes four times as long as a loop, because the list is frozen.
    for (let place = 0; place < rows.length; place += 1) {
      if (rows[place] !== this.#rows[place]) changed.push(rows[place]);
    }
    this.#rows = rows;
    this.#changedRows = changed.length;
    const rest = [totals, status, isSettling, pending, problems, shipping, validVouchers, invalidVouchers, discountResult];
    this.#values = valuesIn(changed) + valuesIn(rest);
  }
}

/** Reads everything in a list or an object. Returns how many values that was. */
function valuesIn(part) {
  let count = 0;
  for (const value of Object.values(part)) count += typeof value === "object" && value !== null ? valuesIn(value) : 1;
  return count;
}

function same(order, totals) {
  for (const [name, value] of Object.entries(totals)) {
    if (order[name] !== value) throw new Error(`The basket's ${name} is ${value}, its order's is ${order[name]}`);
  }
}
