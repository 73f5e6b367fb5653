// The outages of a soak, in sequence: the failing part of the shop, and what the model is told about it.

/** In the form of a golden case's `host.fails`. */
export const OUTAGES = [
  { part: "prices", lookup: "lookupPrices", fails: { throws: "The price store did not answer" } },
  { part: "nationwide", lookup: "nationwideRate", fails: { throws: "The nationwide function answered 503" } },
  { part: "vouchers", lookup: "lookupVouchers", fails: { throws: "The voucher store did not answer" } },
  { part: "coupons", lookup: "validateCoupons", fails: { throws: "The coupon service answered 503" } },
  { part: "coupons", lookup: "validateCoupons", hangs: true, fails: { late: true } },
];
