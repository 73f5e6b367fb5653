// The fields of an answer that the specification names.

const SCALARS =
  "subTotal grandTotal totalExcludeControlledProducts totalWeight deliveryFee discountedDeliveryFee expressShippingCost shippingFee shippingPrice cartDiscount bogoDiscount two4Discount percentageDiscount shippingDiscount voucherDiscount totalDiscount isFreeShipping";
const PASSED_ON =
  "branchId basketName basketId orderId orderDate ownerId requestSubstitute specialComment noPlasticBags couponCodeList voucherId cartDiscountInfo";
const NESTED = "productList shipping validVouchers invalidVouchers discountResult summary";
/** D1: what a response of the 28 flat fields lacks. */
const NOT_FLAT = ["isFreeShipping", ...NESTED.split(" ")];
const SUMMARY =
  "subTotal grandTotal voucherDiscount cartDiscount bogoDiscount two4Discount percentageDiscount shippingDiscount totalExcludeControlledProducts expressShippingCost deliveryFee discountedDeliveryFee totalWeight discountResult";
const DISCOUNT = "coupon discount bogoDiscount two4Discount percentageDiscount freeshipping shippingDiscount";

/** D1, D3: the keys of the response and of its objects, by the field that holds them. */
const KEYS = new Map(
  Object.entries({
    "": `${PASSED_ON} ${SCALARS} ${NESTED}`,
    "productList[]":
      "cprcode productName quantity scheduleId isPreOrder remark branchId originalPrice price rowTotal discountedRowTotal settlementPrice weight isControlledProduct",
    shipping:
      "shippingType scheduleList shippingPostcode shippingLat shippingLon shippingFirstName shippingLastName shippingAddress shippingSubDistrict shippingProvince shippingPhone shippingEmail shippingDate brcode",
    "shipping.scheduleList[]":
      "scheduleId mode dateTime deliveryFee expressFee nationwideMode nationwideConfig pickingStatus date_slot booking_hour",
    discountResult: "discounts failedCoupons error",
    "discountResult.discounts[]": DISCOUNT,
    summary: SUMMARY,
  }).map(([field, keys]) => [field, keys.split(" ")]),
);

/** The amounts in THB. A rate, a weight and a quantity are none. */
const MONEY = new Set([
  ...withPrefix("", SCALARS),
  ...withPrefix("summary.", SUMMARY),
  ...withPrefix("productList[].", "originalPrice price rowTotal discountedRowTotal settlementPrice"),
  ...withPrefix("shipping.scheduleList[].", "deliveryFee expressFee"),
  ...["", "summary."].flatMap((object) =>
    withPrefix(`${object}discountResult.discounts[].`, "discount bogoDiscount two4Discount shippingDiscount"),
  ),
  ...["validVouchers[].value", "invalidVouchers[].value"],
]);
["", "summary."].forEach((object) => MONEY.delete(`${object}totalWeight`));

function withPrefix(object, names) {
  return names.split(" ").map((name) => object + name);
}

/** D6: what passes through; nothing calculates with it. */
const OPAQUE =
  /^(orderDate|cartDiscountInfo|shipping\.shipping(Lat|Lon|Date))\b|\.(pickingStatus|date_slot)\b|^(in)?validVouchers\[\]\.(?!value$)|^discountResult\.error\b/;

export const isMoney = (field) => MONEY.has(field);
export const isOpaque = (field) => OPAQUE.test(field);

/** The keys of an object of the answer, by its field; undefined if the specification has no such object. */
export const keysOf = (field) => KEYS.get(field);

/** Whether the specification has the field. */
export function isSpecified(field) {
  const [, parent = "", key] = /^(?:(.*)\.)?([^.]+?)(?:\[\])?$/s.exec(field) ?? [];
  return MONEY.has(field) || (KEYS.get(parent)?.includes(key) ?? false);
}

/** Whether a response of the 28 flat fields lacks the key. */
export const isNotFlat = (key) => NOT_FLAT.includes(key);
