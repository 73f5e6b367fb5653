// The live basket against a full recalculation: set one quantity, read the totals.
import { keptHost } from "./hosts.js";
import { facts } from "./work.mjs";

/** Number of baskets; an edit takes the same time in each. */
const BASKETS = 4;
const MOST_UNITS = 9;

/**
 * Settles baskets of a set's orders. Returns a function that edits one of them.
 * @param {typeof import("order-cost").createPricer} createPricer
 * @param {object[]} items as work() makes them
 * @param {string} deliveryZones
 */
export async function prepareEdits(createPricer, items, deliveryZones) {
  const orders = items.slice(0, BASKETS).map(({ order }) => order);
  const pricer = await createPricer(keptHost(facts(orders)), { deliveryZones });
  const baskets = orders.map((order) => pricer.basket(order));
  for (const basket of baskets) same(await basket.settle(), basket.totals);
  const lines = orders[0].productList.length;
  let edits = 0;
  return () => {
    edits += 1;
    return baskets[edits % BASKETS].setQuantity(edits % lines, 1 + (edits % MOST_UNITS));
  };
}

function same(order, totals) {
  for (const [name, value] of Object.entries(totals)) {
    if (order[name] !== value) throw new Error(`The basket's ${name} is ${value}, its order's is ${order[name]}`);
  }
}
