import { decimalText } from "./decimal.js";

/** The JSON text of the response (D1 to D6): keys in the specification's order, white space only within opaque JSON. */

function object(members) {
  return `{${Object.entries(members)
    .map(([name, text]) => `"${name}":${text}`)
    .join(",")}}`;
}

function array(texts) {
  return `[${texts.join(",")}]`;
}

const text = ({ raw }) => raw;
const textOrNull = (value) => (value === null ? "null" : value.raw);
const name = (value) => `"${value}"`;

export function responseText(order, rows, delivery, totals, vouchers, coupons) {
  const discountResult = discountResultText(coupons);
  return object({
    branchId: text(order.branchId),
    basketName: text(order.basketName),
    basketId: text(order.basketId),
    orderId: text(order.orderId),
    orderDate: order.orderDate,
    ownerId: text(order.ownerId),
    requestSubstitute: order.requestSubstitute,
    specialComment: textOrNull(order.specialComment),
    noPlasticBags: order.noPlasticBags,
    couponCodeList: array(order.couponCodeList.map(text)),
    voucherId: array(order.voucherId.map(text)),
    cartDiscountInfo: order.cartDiscountInfo,

    subTotal: decimalText(totals.subTotal),
    grandTotal: decimalText(totals.grandTotal),
    totalExcludeControlledProducts: decimalText(totals.totalExcludeControlledProducts),
    totalWeight: decimalText(totals.totalWeight),
    deliveryFee: decimalText(totals.deliveryFee),
    discountedDeliveryFee: decimalText(totals.discountedDeliveryFee),
    expressShippingCost: decimalText(totals.expressShippingCost),
    shippingFee: decimalText(totals.shippingFee),
    shippingPrice: decimalText(totals.shippingPrice),
    cartDiscount: decimalText(totals.cartDiscount),
    bogoDiscount: decimalText(totals.bogoDiscount),
    two4Discount: decimalText(totals.two4Discount),
    percentageDiscount: decimalText(totals.percentageDiscount),
    shippingDiscount: decimalText(totals.shippingDiscount),
    voucherDiscount: decimalText(totals.voucherDiscount),
    totalDiscount: decimalText(totals.totalDiscount),
    isFreeShipping: totals.isFreeShipping,

    productList: rowsText(rows),
    shipping: order.shipping ? shippingText(order.shipping, delivery) : "null",
    validVouchers: array(vouchers.filter((one) => one.valid).map((one) => one.text)),
    invalidVouchers: array(vouchers.filter((one) => !one.valid).map((one) => one.text)),
    discountResult,
    summary: summaryText(totals, discountResult),
  });
}

function rowsText(rows) {
  return array(rows.map(rowText));
}

function rowText(row) {
  return object({
    cprcode: row.cprcode,
    productName: text(row.productName),
    quantity: row.quantity,
    scheduleId: row.scheduleId,
    isPreOrder: row.isPreOrder,
    remark: text(row.remark),
    branchId: text(row.branchId),
    originalPrice: decimalText(row.originalPrice),
    price: decimalText(row.price),
    rowTotal: decimalText(row.rowTotal),
    discountedRowTotal: decimalText(row.discountedRowTotal),
    settlementPrice: decimalText(row.settlementPrice),
    weight: decimalText(row.weight),
    isControlledProduct: row.isControlledProduct,
  });
}

function shippingText(shipping, delivery) {
  return object({
    shippingType: name(shipping.shippingType),
    scheduleList: array(shipping.scheduleList.map((schedule, index) => scheduleText(schedule, delivery[index]))),
    shippingPostcode: text(shipping.shippingPostcode),
    shippingLat: shipping.shippingLat,
    shippingLon: shipping.shippingLon,
    shippingFirstName: text(shipping.shippingFirstName),
    shippingLastName: text(shipping.shippingLastName),
    shippingAddress: text(shipping.shippingAddress),
    shippingSubDistrict: text(shipping.shippingSubDistrict),
    shippingProvince: text(shipping.shippingProvince),
    shippingPhone: text(shipping.shippingPhone),
    shippingEmail: text(shipping.shippingEmail),
    shippingDate: shipping.shippingDate,
    brcode: shipping.brcode,
  });
}

function scheduleText(schedule, { deliveryFee, expressFee, nationwideConfig }) {
  return object({
    scheduleId: schedule.scheduleId,
    mode: name(schedule.mode),
    dateTime: textOrNull(schedule.dateTime),
    deliveryFee: decimalText(deliveryFee),
    expressFee: decimalText(expressFee),
    nationwideMode: name(schedule.nationwideMode),
    nationwideConfig: textOrNull(nationwideConfig),
    pickingStatus: schedule.pickingStatus,
    date_slot: schedule.date_slot,
    booking_hour: schedule.booking_hour,
  });
}

function discountResultText({ discounts, failedCoupons, error }) {
  return object({ discounts: array(discounts.map(discountText)), failedCoupons: array(failedCoupons.map(text)), error });
}

function discountText(discount) {
  return object({
    coupon: text(discount.coupon),
    discount: decimalText(discount.discount),
    bogoDiscount: decimalText(discount.bogoDiscount),
    two4Discount: decimalText(discount.two4Discount),
    percentageDiscount: decimalText(discount.percentageDiscount),
    freeshipping: discount.freeshipping,
    shippingDiscount: decimalText(discount.shippingDiscount),
  });
}

function summaryText(totals, discountResult) {
  return object({
    subTotal: decimalText(totals.subTotal),
    grandTotal: decimalText(totals.grandTotal),
    voucherDiscount: decimalText(totals.voucherDiscount),
    cartDiscount: decimalText(totals.cartDiscount),
    bogoDiscount: decimalText(totals.bogoDiscount),
    two4Discount: decimalText(totals.two4Discount),
    percentageDiscount: decimalText(totals.percentageDiscount),
    shippingDiscount: decimalText(totals.shippingDiscount),
    totalExcludeControlledProducts: decimalText(totals.totalExcludeControlledProducts),
    expressShippingCost: decimalText(totals.expressShippingCost),
    deliveryFee: decimalText(totals.deliveryFee),
    discountedDeliveryFee: decimalText(totals.discountedDeliveryFee),
    totalWeight: decimalText(totals.totalWeight),
    discountResult,
  });
}

/**
 * An `orderDate` may exceed the doubles. Its nearest double is the largest one; a service would read Infinity as null.
 */
function nearestDouble(value) {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** A value in the form that the host gets: nearest doubles, U+FFFD for lone surrogates. */
function handedOver(value) {
  if (typeof value === "number") return nearestDouble(value);
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** D25: the coupon service's request. */
export function couponRequest(order, couponCodeList, rows, totals) {
  const request = object({
    couponCodeList: array(couponCodeList.map(text)),
    ownerId: text(order.ownerId),
    branchId: text(order.branchId),
    basketId: text(order.basketId),
    orderId: text(order.orderId),
    orderDate: order.orderDate,
    subTotal: decimalText(totals.subTotal),
    deliveryFee: decimalText(totals.deliveryFee),
    expressShippingCost: decimalText(totals.expressShippingCost),
    totalWeight: decimalText(totals.totalWeight),
    productList: rowsText(rows),
  });
  return JSON.parse(request, (_, value) => handedOver(value));
}
