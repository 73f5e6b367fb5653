// Why two services that follow the specification may answer differently: the decision that settled the point, and the
// policy of this package that makes it answer as the other side, if there is one.

/** `policy`: the option's name, the value of the other statement, and the default. */
export const REASONS = {
  keys: reason("D1", "one side lacks keys beyond the 28 flat ones"),
  unknownKey: reason("D2", "one side echoes a key that the specification does not have"),
  nestedKeys: reason("D3", "one side lacks a key of a nested object"),
  serialised: reason("D3", "one side gives the discount result as text"),
  branchId: reason("D4", "one side does not copy branchId into every product"),
  notation: reason("D5", "the same number in another notation"),
  passedOn: reason("D6", "a value that passes through is changed on one side"),
  rowOrder: reason("D6", "the same rows in another order (--match-rows cprcode pairs them)"),
  nullDefault: reason("D7", "null on one side, the default on the other"),
  refused: reason("D11", "one side refuses an order that is not valid"),
  negativeQuantity: reason("D13", "a row of a negative quantity counts as 0, or not"),
  rowTotal: reason("D15", "rowTotal comes from price, or from originalPrice", ["rowTotal", "list", "effective"]),
  subTotal: reason("D15", "subTotal adds up price × quantity, or rowTotal"),
  discountedRowTotal: reason("D16", "discountedRowTotal comes before or after the discount of the row"),
  settlementPrice: reason("D17", "settlementPrice comes from the product's record, or is rowTotal"),
  settlementPriceUnseen: reason("D17", "settlementPrice may come from the product's record, or is rowTotal (a response does not show the record: replay checks it)"),
  originalPrice: reason("D18", "a missing originalPrice is the price, or nothing"),
  noise: reason("D19", "the digits of floating-point arithmetic"),
  rounding: reason("D19", "one side rounds to the satang"),
  overflow: reason("D19", "one side refuses an amount that is too large"),
  excludeRowTotal: reason("D20", "controlled products count at price × quantity, or at their rowTotal"),
  excludeFloor: reason("D20", "totalExcludeControlledProducts has a floor at 0, or none"),
  subtracted: reason("D21", "two4Discount or percentageDiscount is subtracted, or only stated"),
  percentage: reason("D21", "the largest percentage counts, or their sum"),
  grandTotalFloor: reason("D22", "grandTotal has a floor at 0, or none"),
  voucherCap: reason("D22", "vouchers count at their value, or at most what there is to pay"),
  echoedCodes: reason("D24", "repeated coupon codes are echoed, or not"),
  discountResult: reason("D26", "one side passes on another shape of the coupon service's answer"),
  couponOrder: reason("D27", "the coupon service's lists in another order"),
  failedCoupons: reason("D27", "one side adds codes to failedCoupons that the coupon service did not name"),
  freeShipping: reason("D28", "a free-shipping coupon waives the delivery fee, or only says so", ["freeShipping", "waivesDelivery", "asStated"]),
  freeShippingFee: reason("D28", "a free-shipping coupon makes discountedDeliveryFee 0, and shippingDiscount stays"),
  shippingDiscountCap: reason("D28", "shippingDiscount has no limit, or at most deliveryFee"),
  isFreeShipping: reason("D28", "isFreeShipping says what a coupon grants, or that delivery costs nothing"),
  echoedVouchers: reason("D29", "repeated vouchers are echoed, or not"),
  voucherRecord: reason("D30", "another record of a voucher"),
  voucherOrder: reason("D30", "the vouchers in another order"),
  nationwideConfig: reason("D36", "another nationwideConfig where there is none"),
  expressSurcharge: reason("D38", "the first schedule pays the express surcharge, or the first EXPRESS one", ["expressSurcharge", "firstExpress", "firstSchedule"]),
  expressEach: reason("D38", "every EXPRESS schedule pays the express surcharge, or one"),
  errorText: reason("D40", "the same failure in other words"),
  errorStatus: reason("D40", "a failure with another status than 500"),
  notJson: reason("D10", "one side refuses a body that is not JSON, or says so in other words"),
  lookupText: reason("D41", "a look-up failed, and one side says so in other words"),
  notRecorded: reason("D41", "a look-up failed when the order was captured, so that its answer is not in the facts"),
  firstFailure: reason("D42", "of several failures each side reports another one first"),
  limits: reason("D45", "one side refuses an order that lists too much", ["limits", "a higher limit", "a higher limit"]),
};

function reason(decision, what, [name, value, otherwise] = []) {
  return { decision, what, policy: name && { name, value, otherwise } };
}

/** The policy of a pricer that is given none. */
export const DEFAULT_POLICY = Object.fromEntries(
  Object.values(REASONS)
    .filter(({ policy }) => policy && policy.name !== "limits")
    .map(({ policy }) => [policy.name, policy.otherwise]),
);
