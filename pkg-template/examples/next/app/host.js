// Stands in for your own services: each function may as well `await fetch(…)`.
const prices = { 1001: { price: 37.25, originalPrice: 40 } };

/** @type {import("order-cost").Host} */
export const host = {
  async lookupPrices(keys) {
    return keys.map(({ cprcode }) => prices[cprcode]);
  },
};
