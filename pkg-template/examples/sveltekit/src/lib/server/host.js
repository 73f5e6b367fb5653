// Example data in place of your own services: the function could also `await fetch(…)`.
const prices = { 1001: { price: 37.25, originalPrice: 40 }, 1002: { price: 231 } };

/** @type {import("order-cost").Host} */
export const host = {
  async lookupPrices(keys) {
    return keys.map(({ cprcode }) => prices[cprcode]);
  },
};
