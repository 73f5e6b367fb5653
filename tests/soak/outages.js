// What fails in a soak, one after the other with nothing between: the part of the shop, and what the model is told of it.

/** As a golden case's `host.fails` has it. */
export const OUTAGES = [
  { part: "prices", lookup: "lookupPrices", fails: { throws: "The price store did not answer" } },
  { part: "nationwide", lookup: "nationwideRate", fails: { throws: "The nationwide function answered 503" } },
  { part: "vouchers", lookup: "lookupVouchers", fails: { throws: "The voucher store did not answer" } },
  { part: "coupons", lookup: "validateCoupons", fails: { throws: "The coupon service answered 503" } },
  { part: "coupons", lookup: "validateCoupons", hangs: true, fails: { late: true } },
];
