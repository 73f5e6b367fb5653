import { COVERED, UNCOVERED } from "./generator/zones.js";
import { DEFAULT_LIMITS, MAX_BRANCH_UNITS } from "./order.js";

/** The categories of a case with the model's result. A generated run must have enough cases of each. */

const LOOKUPS = ["PRICE_LOOKUP_FAILED", "NATIONWIDE_RATE_FAILED", "VOUCHER_LOOKUP_FAILED", "COUPON_SERVICE_FAILED"];
const WAYS = ["threw", "late", "answered wrong", "not supplied"];
const LIMITED = ["products", "vouchers", "coupon codes", "schedules", "characters"]; // D45
const AMOUNTS = ["discount", "bogoDiscount", "two4Discount", "percentageDiscount", "shippingDiscount"];

export const CATEGORIES = [
  ...["none", "PICKUP", "DELIVERY"].map((kind) => `shipping: ${kind}`),
  ...["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"].map((mode) => `slot: ${mode}`),
  "slot: EXPRESS first",
  "slot: EXPRESS behind another",
  ...["DRY", "FRESH", "MIX"].map((mode) => `rate: ${mode}`),
  ...["covered", "on an edge", "overlap"].map((where) => `point: ${where}`),
  "coupons: none",
  ...[...AMOUNTS, "freeshipping"].map((kind) => `coupon: ${kind}`),
  ...["failed", "error", "lines on the answer", "lines on a discount", "duplicate code", "orderDate beyond a double"].map(
    (what) => `coupon: ${what}`,
  ),
  ...["valid", "inactive", "used", "inactive and used", "duplicate id", "without an id"].map((state) => `voucher: ${state}`),
  ...["somebody else's", "nobody's", "inactive or used", "with keys of its own"].map((what) => `foreign voucher: ${what}`),
  ...["controlled", "default weight", "quantity 0", "quantity under 0"].map((what) => `product: ${what}`),
  ...["rowTotal list", "waivesDelivery", "firstExpress"].map((what) => `policy: ${what}`),
  ...LIMITED.map((what) => `reached: ${what}`),
  "amount: beyond a double",
  "error: INVALID_JSON",
  ...["bytes", ...LIMITED].map((what) => `error: LIMIT_EXCEEDED ${what}`),
  ...[
    "required",
    "expected a string",
    "expected a number",
    "expected an integer",
    "expected true or false",
    "expected an array",
    "expected an object",
    "expected one of",
    "expected at least one product",
  ].map((phrase) => `error: VALIDATION_ERROR ${phrase}`),
  ...[
    "PRODUCT_PRICE_NOT_FOUND",
    "BRANCH_NOT_AVAILABLE",
    "BRANCH_NOT_IN_POLYGON",
    "NATIONWIDE_RATE_NOT_FOUND",
    "VOUCHER_NOT_FOUND",
    "OVERFLOW",
  ].map((code) => `error: ${code}`),
  ...LOOKUPS.flatMap((code) => WAYS.map((way) => `error: ${code} ${way}`)),
];

export function categories(testCase, outcome) {
  return outcome.text === undefined ? [`error: ${errorCategory(outcome)}`] : pricedCategories(testCase, outcome);
}

function errorCategory({ code, error, retryable }) {
  const phrase = error.split(": ").at(-1);
  if (code === "VALIDATION_ERROR") return `${code} ${phrase.replace(/(expected one of).*/, "$1")}`;
  if (code === "LIMIT_EXCEEDED") return `${code} ${/ \d+ (.*)$/.exec(error)[1]}`;
  if (!LOOKUPS.includes(code)) return code;
  if (retryable) return `${code} ${/ did not answer within \d+ ms$/.test(error) ? "late" : "threw"}`;
  return `${code} ${error.startsWith("The host does not supply") ? "not supplied" : "answered wrong"}`;
}

function pricedCategories({ host, options }, { text }) {
  const order = JSON.parse(text);
  return [
    ...shippingCategories(order),
    ...couponCategories(order, host),
    ...voucherCategories(order, host),
    ...productCategories(order),
    ...reachedCategories(order, options),
    ...when(options?.policy?.rowTotal === "list", "policy: rowTotal list"),
    ...when(options?.policy?.freeShipping === "waivesDelivery", "policy: waivesDelivery"),
    ...when(isSurchargedBehind(order), "policy: firstExpress"),
    ...Object.entries(options?.policy ?? {}).flatMap(([name, value]) => when(CHOSEN.includes(name), `policy: ${name} ${value}`)),
    ...when(options?.input === "lenient", "input: lenient"),
    ...when(/"(subTotal|grandTotal|percentageDiscount)":[0-9.]{19,}/.test(text), "amount: beyond a double"),
  ];
}

const CHOSEN = ["subTotal", "discountedRowTotal", "settlementPrice", "excludeControlled", "foldedDiscounts"];

const asRecord = (fact) => (typeof fact === "string" ? JSON.parse(fact) : fact);
const when = (condition, category) => (condition ? [category] : []);

/** D38: only the policy lets a schedule other than the first pay. */
function isSurchargedBehind({ shipping }) {
  return shipping?.scheduleList.slice(1).some(({ expressFee }) => expressFee > 0) ?? false;
}

function reachedCategories({ productList, voucherId, couponCodeList, shipping, branchId }, options) {
  const limits = { ...DEFAULT_LIMITS, ...options?.limits };
  const reached = {
    products: productList.length === limits.maxProducts,
    vouchers: voucherId.length === limits.maxVouchers,
    "coupon codes": couponCodeList.length === limits.maxCoupons,
    schedules: shipping?.scheduleList.length === limits.maxSchedules,
    characters: branchId.length === MAX_BRANCH_UNITS,
  };
  return LIMITED.filter((what) => reached[what]).map((what) => `reached: ${what}`);
}

function shippingCategories({ shipping }) {
  if (!shipping) return ["shipping: none"];
  const { shippingType, scheduleList, brcode, shippingLon, shippingLat } = shipping;
  if (shippingType === "PICKUP") return ["shipping: PICKUP"];
  const slots = scheduleList.map(({ mode }) => `slot: ${mode}`);
  const rates = scheduleList.filter(({ mode }) => mode === "NATIONWIDE").map((slot) => `rate: ${slot.nationwideMode}`);
  const zoned = scheduleList.some(({ mode }) => mode === "REGULAR" || mode === "EXPRESS");
  const [where] = [...COVERED, ...UNCOVERED].find(([, ...point]) => String(point) === String([brcode, shippingLon, shippingLat])) ?? [
    "nowhere",
  ];
  return [
    "shipping: DELIVERY",
    ...new Set([...slots, ...rates]),
    ...when(scheduleList[0]?.mode === "EXPRESS", "slot: EXPRESS first"),
    ...when(scheduleList.findIndex(({ mode }) => mode === "EXPRESS") > 0, "slot: EXPRESS behind another"),
    ...when(zoned, "point: covered"),
    ...when(zoned && /edge|vertex/.test(where), "point: on an edge"),
    ...when(zoned && where.startsWith("overlap"), "point: overlap"),
  ];
}

function couponCategories({ couponCodeList, discountResult, orderDate }, { coupons }) {
  if (couponCodeList.length === 0) return ["coupons: none"];
  const { discounts, failedCoupons, error } = discountResult;
  const answer = asRecord(coupons);
  return [
    ...AMOUNTS.filter((name) => discounts.some((discount) => discount[name] > 0)).map((name) => `coupon: ${name}`),
    ...when(
      discounts.some((discount) => discount.freeshipping),
      "coupon: freeshipping",
    ),
    ...when(failedCoupons.length > 0, "coupon: failed"),
    ...when(JSON.stringify(error) !== "{}", "coupon: error"),
    ...when(answer?.lines?.length > 0, "coupon: lines on the answer"),
    ...when(
      answer?.discounts?.some(({ lines }) => lines?.length > 0),
      "coupon: lines on a discount",
    ),
    ...when(new Set(couponCodeList).size < couponCodeList.length, "coupon: duplicate code"),
    ...when(!Number.isFinite(orderDate), "coupon: orderDate beyond a double"),
  ];
}

function voucherCategories({ voucherId, validVouchers, invalidVouchers }, { vouchers }) {
  const isForeign = ({ reasons }) => reasons[0] === "ownerMismatch";
  const own = invalidVouchers.filter((one) => !isForeign(one)).map(({ reasons }) => reasons.join(" and "));
  const foreign = invalidVouchers.filter(isForeign).map((one) => asRecord(vouchers[one.voucherId]));
  return [
    ...when(validVouchers.length > 0, "voucher: valid"),
    ...new Set(own.map((reasons) => `voucher: ${reasons}`)),
    ...new Set(foreign.flatMap(foreignCategories)),
    ...when(new Set(voucherId).size < voucherId.length, "voucher: duplicate id"),
    ...when(
      voucherId.some((id) => !asRecord(vouchers[id]).voucherId),
      "voucher: without an id",
    ),
  ];
}

const RECORD = ["voucherId", "ownerId", "value", "isActive", "isUsed"];

function foreignCategories(record) {
  return [
    `foreign voucher: ${record.ownerId ? "somebody else's" : "nobody's"}`,
    ...when(!record.isActive || record.isUsed, "foreign voucher: inactive or used"),
    ...when(
      Object.keys(record).some((name) => !RECORD.includes(name)),
      "foreign voucher: with keys of its own",
    ),
  ];
}

function productCategories({ productList }) {
  return [
    ...when(
      productList.some((row) => row.isControlledProduct),
      "product: controlled",
    ),
    ...when(
      productList.some((row) => row.weight === 0.25),
      "product: default weight",
    ),
    ...when(
      productList.some((row) => row.quantity === 0),
      "product: quantity 0",
    ),
    ...when(
      productList.some((row) => row.quantity < 0),
      "product: quantity under 0",
    ),
  ];
}
