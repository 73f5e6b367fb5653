const { createPricer, PricingError } = require("order-cost");

/** The code under test: returns what a customer reads before paying. A test passes its own host. */
async function checkout(host, order) {
  const pricer = await createPricer(host);
  try {
    const { grandTotal, discountResult } = await pricer.calculate(order);
    const refused = discountResult.failedCoupons.map((coupon) => ` ${coupon} is not valid.`);
    return `To pay: ${grandTotal.toFixed(2)} THB.${refused.join("")}`;
  } catch (error) {
    if (!(error instanceof PricingError)) throw error;
    if (error.code === "PRODUCT_PRICE_NOT_FOUND") return "A product is sold out. Please take it out.";
    return error.retryable ? "Please try again." : `This cannot be ordered: ${error.message}`;
  }
}

module.exports = { checkout };
