import { createPricer } from "order-cost";

// A real shop calls its own services here.
const prices = { 1001: { price: 37.25 } };

const pricer = await createPricer({
  lookupPrices: async (keys) => keys.map(({ cprcode }) => prices[cprcode]),
  validateCoupons: async ({ couponCodeList, subTotal }) =>
    subTotal >= 100 ? { discounts: [{ coupon: "SAVE10", discount: 10 }] } : { failedCoupons: couponCodeList },
});

export const basket = pricer.basket({ productList: [] }, { autoSettle: true });

export const shelf = [
  { cprcode: 1001, productName: "น้ำปลา", quantity: 1 },
  { cprcode: 1002, productName: "ปลาทู", quantity: 1 },
];
