// Differences of form: notation, missing keys, types, order, texts of errors. Which reason each has, if any.
import { decimal } from "../../decimal.js";
import { exactText, member, numberText, readExact, typeOf } from "../../exact-json.js";
import { isJson } from "../json-parts.js";
import { amountIn, isNear, isNoise } from "./amounts.js";

const SCALARS =
  "subTotal grandTotal totalExcludeControlledProducts totalWeight deliveryFee discountedDeliveryFee expressShippingCost shippingFee shippingPrice cartDiscount bogoDiscount two4Discount percentageDiscount shippingDiscount voucherDiscount totalDiscount isFreeShipping";
const PASSED_ON =
  "branchId basketName basketId orderId orderDate ownerId requestSubstitute specialComment noPlasticBags couponCodeList voucherId cartDiscountInfo";
const NESTED = "productList shipping validVouchers invalidVouchers discountResult summary";
/** D1: what a response of the 28 flat fields lacks. */
const NOT_FLAT = ["isFreeShipping", ...NESTED.split(" ")];

/** D1, D3: the keys of the response and of its objects, by the field that holds them. */
const KEYS = Object.fromEntries(
  Object.entries({
    "": `${PASSED_ON} ${SCALARS} ${NESTED}`,
    "productList[]":
      "cprcode productName quantity scheduleId isPreOrder remark branchId originalPrice price rowTotal discountedRowTotal settlementPrice weight isControlledProduct",
    shipping:
      "shippingType scheduleList shippingPostcode shippingLat shippingLon shippingFirstName shippingLastName shippingAddress shippingSubDistrict shippingProvince shippingPhone shippingEmail shippingDate brcode",
    "shipping.scheduleList[]":
      "scheduleId mode dateTime deliveryFee expressFee nationwideMode nationwideConfig pickingStatus date_slot booking_hour",
    discountResult: "discounts failedCoupons error",
    "discountResult.discounts[]": "coupon discount bogoDiscount two4Discount percentageDiscount freeshipping shippingDiscount",
    summary:
      "subTotal grandTotal voucherDiscount cartDiscount bogoDiscount two4Discount percentageDiscount shippingDiscount totalExcludeControlledProducts expressShippingCost deliveryFee discountedDeliveryFee totalWeight discountResult",
  }).map(([field, keys]) => [field, keys.split(" ")]),
);

/** D6: what passes through; nothing calculates with it. */
const OPAQUE = /^(orderDate|cartDiscountInfo|shipping\.shipping(Lat|Lon|Date))\b|\.(pickingStatus|date_slot)\b|^(in)?validVouchers\[\]\.(?!value$)|^discountResult\.error\b/;

/** The reason for a difference of form, or null. `field` is its path without indices. */
export function shapeReason(difference, field, pair) {
  if (field === "error" && pair.lacksFacts) return "notRecorded";
  if (field === "grandTotal" && ["missing", "type"].includes(difference.kind)) return null; // nothing to compare
  const found = BY_KIND[difference.kind]?.(difference, field, pair);
  return found || vouchers(difference, field) || echoed(field, pair) || failedCoupons(field, pair);
}

const BY_KIND = {
  numberFormat: (_, field) => (OPAQUE.test(field) ? "passedOn" : "notation"),
  underHalfSatang: digits,
  value: (difference, field) => (field === "error" ? errorText(difference) : digits(difference, field)),
  missing: missingKey,
  type: anotherType,
  order: (_, field) => ORDERS.find(([pattern]) => pattern.test(field))?.[1],
  failed: ({ left, right }, field) => (field === "error" ? FAILURES.find(([pattern]) => pattern.test(`${left ?? right}`))?.[1] : null),
};

const ORDERS = [
  [/^(productList|shipping\.scheduleList)$/, "rowOrder"],
  [/^discountResult\./, "couponOrder"],
  [/Vouchers$/, "voucherOrder"],
  [/^(couponCodeList|voucherId)$/, "passedOn"],
];

/** D19: less than half a satang, or exactly half of it. */
function digits({ left, right }, field) {
  if (typeOf(left) !== "number" || typeOf(right) !== "number") return null;
  const [a, b] = [left, right].map((value) => decimal(numberText(value)));
  if (!isNear(a, b)) return null;
  if (isNoise(a, b)) return OPAQUE.test(field) ? "passedOn" : "noise";
  return OPAQUE.test(field) ? null : "rounding";
}

function missingKey(_, field) {
  const [, parent = "", key] = /^(?:(.*)\.)?([^.[\]]+)$/.exec(field) ?? [];
  if (key === undefined) return null; // an item of a list
  const keys = KEYS[parent];
  if (!keys) return null;
  if (!keys.includes(key)) return parent.startsWith("discountResult") ? "discountResult" : "unknownKey";
  if (parent === "") return NOT_FLAT.includes(key) ? "keys" : null;
  return field === "productList[].branchId" ? "branchId" : "nestedKeys";
}

/** The defaults of optional fields, as exact text. */
const DEFAULTS = new Set(['""', "[]", "{}", "0", "false"]);

function anotherType({ left, right, items }, field) {
  const values = [left, right];
  const texts = values.map((value) => exactText(value));
  if (field.endsWith(".nationwideConfig")) return texts.includes('"none"') ? "nationwideConfig" : null;
  if (field === "discountResult.error") return texts.every((text) => ["null", ...DEFAULTS].includes(text)) ? "discountResult" : null;
  if (field === "productList[].originalPrice") return missesOriginalPrice(items, values) ? "originalPrice" : null;
  if (texts.includes("null")) return texts.some((text) => DEFAULTS.has(text)) ? "nullDefault" : null;
  const [text, other] = typeof left === "string" && left[0] === "s" ? [left, right] : [right, left];
  if (typeof text !== "string" || text[0] !== "s") return null;
  if (typeOf(other) === "number") return isSameNumber(text.slice(1), other) ? "notation" : null;
  return isJson(text.slice(1)) && exactText(readExact(text.slice(1)), { sorted: true }) === exactText(other, { sorted: true }) ? "serialised" : null;
}

function isSameNumber(text, number) {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return false;
  return isNear(decimal(text), decimal(numberText(number)));
}

/** D18: one side gives the price where the record has no originalPrice, the other one nothing. */
function missesOriginalPrice(items, values) {
  const isPrice = (row, value) => typeOf(value) === "number" && isNear(decimal(numberText(value)), amountIn(row, "price"));
  return values.includes(null) && (isPrice(items.left, values[0]) || isPrice(items.right, values[1]));
}

/** D30: one side shows nothing of somebody else's voucher, or other reasons. */
function vouchers({ items }, field) {
  if (!/^invalidVouchers\[\]\./.test(field)) return null;
  if (/\.reasons\b/.test(field)) return "voucherRecord";
  return [items?.left, items?.right].some(isHidden) ? "voucherRecord" : null;
}

const isHidden = (voucher) =>
  exactText(member(voucher, "reasons") ?? null) === '["ownerMismatch"]' && Object.keys(voucher).length === 2;

/** D24, D29: one side echoes a list without its repetitions. */
function echoed(field, { left, right }) {
  const [name] = /^(couponCodeList|voucherId)\[\]$/.exec(field)?.slice(1) ?? [];
  if (!name) return null;
  const [a, b] = [left, right].map(({ order }) => member(order, name));
  if (typeOf(a) !== "array" || typeOf(b) !== "array") return null;
  const once = (list) => exactText([...new Set(list)]);
  const isOnce = once(a) === once(b) && [a, b].some((list) => new Set(list).size === list.length);
  return isOnce ? (name === "voucherId" ? "echoedVouchers" : "echoedCodes") : null;
}

/** D27: one side has all failed codes of the other, and codes of the order that gave no discount. */
function failedCoupons(field, { left, right }) {
  if (field !== "discountResult.failedCoupons[]") return null;
  const failed = ({ order }) => member(member(order, "discountResult"), "failedCoupons") ?? [];
  const [few, many] = [failed(left), failed(right)].sort((a, b) => a.length - b.length);
  const granted = new Set([...left.discounts, ...right.discounts].map((discount) => member(discount, "coupon")));
  const sent = new Set(member(left.order, "couponCodeList") ?? []);
  const isAdded = few.every((code) => many.includes(code)) && many.every((code) => few.includes(code) || (sent.has(code) && !granted.has(code)));
  return isAdded && few.length < many.length ? "failedCoupons" : null;
}

/** The messages of this package, and the reason why another service may have another one. */
const MESSAGES = [
  [/^Failed to parse request body$/, "notJson"],
  [/expected at most \d+ |^Request body is larger than /, "limits"],
  [/^Invalid order: /, "refused"],
  [/^No price for \S+$/, "errorText"],
  [/^Branch \S+ (not in polygon|is not available)$/, "errorText"],
  [/^Voucher .+ not found$/s, "errorText"],
  [/^Overflow: /, "overflow"],
  [/ did not answer within \d+ ms$|^The host does not supply |^Invalid answer from /, "lookupText"],
];

/** Only one side failed: these are refusals that a decision asks for. What is not found is no such refusal. */
const FAILURES = MESSAGES.filter(([, name]) => ["notJson", "limits", "refused", "overflow"].includes(name)).map(([pattern, name]) => [
  new RegExp(pattern.source.replaceAll("^", "^s"), pattern.flags),
  name,
]);

function errorText({ left, right }) {
  if (typeOf(left) !== "string" || typeOf(right) !== "string") return null;
  const known = [left, right].map((text) => MESSAGES.find(([pattern]) => pattern.test(text.slice(1))));
  if (known[0] && known[1]) return "firstFailure";
  return (known[0] ?? known[1])?.[1] ?? "lookupText"; // the words of a service
}
