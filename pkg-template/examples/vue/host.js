// Example data in place of your own services: each function could also `await fetch(…)`.
const prices = { 1001: { price: 37.25, originalPrice: 40 } };

/** @type {import("order-cost").Host} */
export const host = {
  async lookupPrices(keys) {
    return keys.map(({ cprcode }) => prices[cprcode]);
  },

  async validateCoupons({ couponCodeList, subTotal }) {
    if (!navigator.onLine) throw new Error("No network"); // as `fetch` does
    const isValid = couponCodeList.includes("SAVE10") && subTotal >= 100;
    return isValid ? { discounts: [{ coupon: "SAVE10", discount: 10 }] } : { failedCoupons: couponCodeList };
  },
};
