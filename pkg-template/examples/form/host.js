// Example data in place of your own services: each function could also `await fetch(…)`.
const prices = { 1001: { price: 37.25 }, 1002: { price: 231 } };

/** @type {import("order-cost").Host} */
export const host = {
  async lookupPrices(keys) {
    return keys.map(({ cprcode }) => prices[cprcode]);
  },

  async nationwideRate({ nationwideMode }) {
    return { deliveryFee: nationwideMode === "DRY" ? 45 : 90 };
  },
};
