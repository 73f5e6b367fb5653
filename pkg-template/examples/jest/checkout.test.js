const { hostFromFacts } = require("order-cost/testing");
const { checkout } = require("./checkout.js");

const facts = {
  prices: { 1001: { price: 37.25 } },
  coupons: ({ couponCodeList, subTotal }) =>
    couponCodeList.includes("SAVE10") && subTotal >= 100
      ? { discounts: [{ coupon: "SAVE10", discount: 10 }] }
      : { failedCoupons: couponCodeList },
};
const fishSauce = (quantity) => ({ cprcode: 1001, productName: "น้ำปลา", quantity });

test("a coupon is taken off", async () => {
  const order = { productList: [fishSauce(3)], couponCodeList: ["SAVE10"] };
  expect(await checkout(hostFromFacts(facts), order)).toBe("To pay: 101.75 THB.");
});

test("a coupon that is not valid is named", async () => {
  const order = { productList: [fishSauce(1)], couponCodeList: ["SAVE10"] };
  expect(await checkout(hostFromFacts(facts), order)).toBe("To pay: 37.25 THB. SAVE10 is not valid.");
});

test("a product without a price is to be taken out", async () => {
  const order = { productList: [{ cprcode: 9, productName: "?", quantity: 1 }] };
  expect(await checkout(hostFromFacts(facts), order)).toBe("A product is sold out. Please take it out.");
});

test("a price service that is down may be tried again", async () => {
  const host = { ...hostFromFacts(facts), lookupPrices: () => Promise.reject(new Error("503")) };
  expect(await checkout(host, { productList: [fishSauce(1)] })).toBe("Please try again.");
});

test("prices are asked once, and coupons only where there are any", async () => {
  const host = hostFromFacts(facts);
  await checkout(host, { productList: [fishSauce(1), fishSauce(2)] });
  expect(host.calls).toEqual([{ name: "lookupPrices", argument: [{ cprcode: 1001, branchId: "1000" }] }]);
});
