// Why two services that follow the specification may answer differently: the decision that settled the point, and the
// policy of this package that makes it answer as the other side, if there is one. It imports nothing that the build makes: a
// test reads it from here.

/**
 * `decision`: its id; D19 has two, so that what accepts the noise of floats accepts no rounding, which is money.
 * `policy`: the option's name and the value of the other statement; `isOfDefault`: the reason is a statement that the
 * default follows, and the other one is that of the field.
 */
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
  rowTotal: reason("D15", "rowTotal comes from price, or from originalPrice", ["rowTotal", "list"]),
  subTotal: reason("D15", "subTotal adds up price × quantity, or rowTotal", ["subTotal", "rowTotals"]),
  discountedRowTotal: reason("D16", "discountedRowTotal comes before or after the discount of the row"),
  discountedFromRowTotal: reason("D16", "discountedRowTotal comes from price × quantity, or from rowTotal", [
    "discountedRowTotal",
    "fromRowTotal",
  ]),
  settlementPrice: ofDefault(
    reason("D17", "settlementPrice comes from the product's record, or is rowTotal", ["settlementPrice", "rowTotal"]),
  ),
  settlementUnitPrice: reason("D17", "settlementPrice is the price where the record has none, or rowTotal", ["settlementPrice", "record"]),
  settlementPriceUnseen: ofDefault(
    reason(
      "D17",
      "settlementPrice may come from the product's record, or is rowTotal (a response does not show the record: replay checks it)",
      ["settlementPrice", "rowTotal"],
    ),
  ),
  originalPrice: reason("D18", "a missing originalPrice is the price, or nothing"),
  noise: reason("D19", "the digits of floating-point arithmetic"),
  roundedRow: reason("D19-rounding", "one side rounds each row to the satang"),
  roundedSubTotal: reason("D19-rounding", "one side rounds the subtotal to the satang"),
  roundedTotal: reason("D19-rounding", "one side rounds a total to the satang"),
  overflow: reason("D19", "one side refuses an amount that is too large"),
  excludeRowTotal: reason("D20", "controlled products count at price × quantity, or at their rowTotal", ["excludeControlled", "rowTotal"]),
  excludeFloor: reason("D20", "totalExcludeControlledProducts has a floor at 0, or none"),
  subtracted: reason("D21", "two4Discount or percentageDiscount is subtracted, or only stated"),
  foldedTwo4: reason("D21", "two4Discount is folded into cartDiscount, or only stated", ["foldedDiscounts", "two4"]),
  foldedPercentage: reason("D21", "percentageDiscount is folded into cartDiscount, or only stated", ["foldedDiscounts", "percentage"]),
  folded: reason("D21", "two4Discount and percentageDiscount are folded into cartDiscount, or only stated", ["foldedDiscounts", "both"]),
  foldedTotal: reason("D21", "totalDiscount counts what is folded into cartDiscount once, or twice"),
  percentage: reason("D21", "the largest percentage counts, or their sum"),
  grandTotalFloor: reason("D22", "grandTotal has a floor at 0, or none"),
  voucherCap: reason("D22", "vouchers count at their value, or at most what there is to pay"),
  repeatedCode: reason("D24", "a coupon code that is listed more than once counts each time, or once"),
  echoedCodes: reason("D24", "repeated coupon codes are echoed, or not"),
  discountResult: reason("D26", "one side passes on another shape of the coupon service's answer"),
  couponOrder: reason("D27", "the coupon service's lists in another order"),
  failedCoupons: reason("D27", "a code without a discount stands in failedCoupons on one side only"),
  freeShipping: reason("D28", "a free-shipping coupon waives the delivery fee, or only says so", ["freeShipping", "waivesDelivery"]),
  freeShippingFee: reason("D28", "a free-shipping coupon makes discountedDeliveryFee 0, and shippingDiscount stays"),
  shippingDiscountCap: reason("D28", "shippingDiscount has no limit, or at most deliveryFee"),
  isFreeShipping: reason("D28", "isFreeShipping says what a coupon grants, or that delivery costs nothing"),
  repeatedVoucher: reason("D29", "a voucher that is listed more than once counts each time, or once"),
  echoedVouchers: reason("D29", "repeated vouchers are echoed, or not"),
  voucherRecord: reason("D30", "another record of a voucher"),
  voucherOrder: reason("D30", "the vouchers in another order"),
  nationwideConfig: reason("D36", "another nationwideConfig where there is none"),
  expressSurcharge: reason("D38", "the first schedule pays the express surcharge, or the first EXPRESS one", [
    "expressSurcharge",
    "firstExpress",
  ]),
  expressAny: reason("D38", "expressShippingCost adds up expressFee, or is 50 for any EXPRESS schedule", [
    "expressSurcharge",
    "anyExpress",
  ]),
  expressEach: reason("D38", "every EXPRESS schedule pays the express surcharge, or one"),
  errorText: reason("D40", "the same failure in other words"),
  errorStatus: reason("D40", "a failure with another status than 500"),
  notJson: reason("D10", "one side refuses a body that is not JSON, or says so in other words"),
  lookupText: reason("D41", "a look-up failed, and one side says so in other words"),
  notRecorded: reason("D41", "a look-up failed when the order was captured, so that its answer is not in the facts"),
  firstFailure: reason("D42", "of several failures each side reports another one first"),
  limits: reason("D45", "one side refuses an order that lists too much", ["limits", "a higher limit"]),
};

function reason(decision, what, [name, value] = []) {
  return { decision, what, policy: name && { name, value } };
}

function ofDefault(reason) {
  return { ...reason, policy: { ...reason.policy, isOfDefault: true } };
}
