// What each field of an order, of its facts and of an answer is (SPECIFICATION.md). A field is
//   "plain"                       shown: an amount, a code, a flag; text in its place is not
//   "text"                        free text
//   "id", "branch", "postcode"    an id that somebody chose
//   "hour"                        of the day: another number in its place is not shown
//   "latitude", "longitude"       where somebody lives
//   "anything"                    any JSON
//   "error"                       why an order failed
//   ["one of", "these"]           shown; other text in its place is not
//   { list: field }               a list of that
//   { table: fields }             an object of these fields

/** @typedef {string | string[] | { list: Field } | { table: Record<string, Field> }} Field */

/**
 * What stands in a list, and in an object. Nothing for any other field.
 * @param {Field | undefined} field
 * @returns {{ list?: Field, table?: Record<string, Field> }}
 */
export const partsOf = (field) => (typeof field === "object" && !Array.isArray(field) ? field : {});

const SHIPPING_TYPES = ["DELIVERY", "PICKUP"];
const MODES = ["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"];
const NATIONWIDE_MODES = ["DRY", "FRESH", "MIX"];
const REASONS = ["inactive", "used", "ownerMismatch"];

const plain = (...names) => Object.fromEntries(names.map((name) => [name, "plain"]));
const text = (...names) => Object.fromEntries(names.map((name) => [name, "text"]));
const list = (field) => ({ list: field });
const table = (fields) => ({ table: fields });

const OWN = {
  voucherId: list("id"),
  couponCodeList: list("id"),
  basketName: "text",
  basketId: "id",
  branchId: "branch",
  orderId: "id",
  orderDate: "plain",
  ownerId: "id",
  requestSubstitute: "plain",
  specialComment: "text",
  noPlasticBags: "plain",
  cartDiscountInfo: "anything",
};

const PRODUCT = { ...plain("cprcode", "quantity", "scheduleId", "isPreOrder"), ...text("productName", "remark") };

const SCHEDULE = {
  scheduleId: "plain",
  booking_hour: "hour",
  mode: MODES,
  dateTime: "text",
  nationwideMode: NATIONWIDE_MODES,
  nationwideConfig: "text",
  pickingStatus: "anything",
  date_slot: "anything",
};

const shipping = (schedule) =>
  table({
    shippingType: SHIPPING_TYPES,
    scheduleList: list(table(schedule)),
    shippingPostcode: "postcode",
    shippingLat: "latitude",
    shippingLon: "longitude",
    ...text(
      "shippingFirstName",
      "shippingLastName",
      "shippingAddress",
      "shippingSubDistrict",
      "shippingProvince",
      "shippingPhone",
      "shippingEmail",
    ),
    ...plain("shippingDate", "brcode"),
  });

export const ORDER = table({ ...OWN, productList: list(table(PRODUCT)), shipping: shipping(SCHEDULE) });

// ---------------------------------------------------------------- facts

export const PRICE = table(plain("price", "originalPrice", "settlementPrice", "weight", "isControlledProduct"));

export const RATE = table({ deliveryFee: "plain", nationwideConfig: "text" });

const DISCOUNT = {
  coupon: "id",
  ...plain("discount", "bogoDiscount", "two4Discount", "percentageDiscount", "freeshipping", "shippingDiscount"),
};

const result = (discount, more) => table({ discounts: list(table(discount)), failedCoupons: list("id"), error: "anything", ...more });

const RESULT = result(DISCOUNT);

/** D26: the coupon service may say, for a discount or for all, on which rows it falls. */
const LINES = { lines: list(table(plain("line", "discount"))) };
export const COUPONS = result({ ...DISCOUNT, ...LINES }, LINES);

export const VOUCHER = table({ voucherId: "id", ownerId: "id", ...plain("value", "isActive", "isUsed"), reasons: list(REASONS) });

// ---------------------------------------------------------------- the answer

const TOTALS = [
  ...["subTotal", "grandTotal", "totalExcludeControlledProducts", "totalWeight", "deliveryFee", "discountedDeliveryFee"],
  ...["expressShippingCost", "shippingFee", "shippingPrice", "cartDiscount", "bogoDiscount", "two4Discount"],
  ...["percentageDiscount", "shippingDiscount", "voucherDiscount", "totalDiscount", "isFreeShipping"],
];

const ROW = {
  ...PRODUCT,
  branchId: "branch",
  ...plain("originalPrice", "price", "rowTotal", "discountedRowTotal", "settlementPrice", "weight", "isControlledProduct"),
};

export const ANSWER = table({
  ...OWN,
  ...plain(...TOTALS),
  productList: list(table(ROW)),
  shipping: shipping({ ...SCHEDULE, ...plain("deliveryFee", "expressFee") }),
  validVouchers: list(VOUCHER),
  invalidVouchers: list(VOUCHER),
  discountResult: RESULT,
  summary: table({ ...plain(...TOTALS), discountResult: RESULT }),
  error: "error",
});
