import { createPricer } from "order-cost";

// Example data in place of your own services: the function could also `await fetch(…)`.
const prices = { 1001: { price: 37.25, originalPrice: 40 }, 1002: { price: 231 } };

/** @type {import("order-cost").Host} */
export const host = {
  async lookupPrices(keys) {
    return keys.map(({ cprcode }) => prices[cprcode]);
  },
};

let pricer;

/** The server's pricer, created on first use. */
export async function serverPricer() {
  pricer ??= await createPricer(host);
  return pricer;
}
