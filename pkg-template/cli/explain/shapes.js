// Differences of form: notation, missing keys, types, order, texts of errors. Which reason each has, if any.
import { WORDS } from "../../order-fields.js";
import { decimal, exactText, member, numberText, readExact, typeOf } from "../../shared/index.js";
import { isJson } from "../files/index.js";
import { amountIn, isNear } from "./amounts.js";
import { lastDigits } from "./digits.js";
import { isNotFlat, isOpaque, keysOf } from "./fields.js";
import { listIn } from "./side.js";

/** The reason for a difference of form, or null. `field` is its path without indices. */
export function shapeReason(difference, field, pair) {
  if (field === "error" && pair.lacksFacts) return "notRecorded";
  if (field === "grandTotal" && ["missing", "type"].includes(difference.kind)) return null; // nothing to compare
  const found = BY_KIND[difference.kind]?.(difference, field, pair);
  return found || vouchers(difference, field) || echoed(field, pair) || failedCoupons(field, pair);
}

const BY_KIND = {
  numberFormat: (_, field) => (isOpaque(field) ? "passedOn" : "notation"),
  underHalfSatang: digits,
  value: (difference, field) => (field === "error" ? errorText(difference) : digits(difference, field)),
  missing: missingKey,
  type: anotherType,
  order: (_, field) => ORDERS.find(([pattern]) => pattern.test(field))?.[1],
  failed: ({ left, right }, field) => (field === "error" ? refusal(left ?? right) : null),
};

/** @type {[pattern: RegExp, reason: string][]} */
const ORDERS = [
  [/^(productList|shipping\.scheduleList)$/, "rowOrder"],
  [/^discountResult\./, "couponOrder"],
  [/Vouchers$/, "voucherOrder"],
  [/^(couponCodeList|voucherId)$/, "passedOn"],
];

/** Nothing calculates with what is opaque: nobody has a reason to round it. */
function digits(difference, field) {
  if (lastDigits(difference) !== "noise") return null;
  return isOpaque(field) ? "passedOn" : "noise";
}

function missingKey({ left, right }, field, pair) {
  const [, parent = "", key] = /^(?:(.*)\.)?([^.[\]]+)$/.exec(field) ?? [];
  if (key === undefined) return repeatedItem(left ?? right, field.replace(/^summary\./, ""), left === undefined ? pair.right : pair.left);
  const keys = keysOf(parent);
  if (!keys) return null;
  if (!keys.includes(key)) return parent.startsWith("discountResult") ? "discountResult" : "unknownKey";
  if (parent === "") return isNotFlat(key) ? "keys" : null;
  return field === "productList[].branchId" ? "branchId" : "nestedKeys";
}

/** D24, D29: an item that one side has once more, because the order lists its id more than once. */
function repeatedItem(item, field, side) {
  const [reason, list, items, key] = REPEATABLE[field] ?? [];
  if (reason === undefined || side[items] === undefined) return null;
  const id = member(item, key);
  const times = (ids) => ids.filter((one) => one === id).length;
  const isRepeated = times(side[items].map((one) => member(one, key))) > 1 && times(listIn(side.order, list) ?? []) > 1;
  return isRepeated ? reason : null;
}

const REPEATABLE = {
  "validVouchers[]": ["repeatedVoucher", "voucherId", "vouchers", "voucherId"],
  "discountResult.discounts[]": ["repeatedCode", "couponCodeList", "discounts", "coupon"],
};

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
  return isJson(text.slice(1)) && exactText(readExact(text.slice(1)), { sorted: true }) === exactText(other, { sorted: true })
    ? "serialised"
    : null;
}

function isSameNumber(text, number) {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return false;
  return isNear(decimal(text), decimal(numberText(number)));
}

/** D18: one side gives the price where the record has no originalPrice, the other one nothing. */
function missesOriginalPrice(items, values) {
  const isPrice = (row, value) => typeOf(value) === "number" && isNear(decimal(numberText(value)), amountIn(row, "price"));
  return values.includes(null) && (isPrice(items?.left, values[0]) || isPrice(items?.right, values[1]));
}

/** D30: one side shows nothing of somebody else's voucher, or other reasons. */
function vouchers({ items }, field) {
  if (!/^invalidVouchers\[\]\./.test(field)) return null;
  if (/\.reasons\b/.test(field)) return "voucherRecord";
  return [items?.left, items?.right].some(isHidden) ? "voucherRecord" : null;
}

const isHidden = (voucher) => exactText(member(voucher, "reasons") ?? null) === '["ownerMismatch"]' && Object.keys(voucher).length === 2;

/** D24, D29: one side echoes a list without its repetitions. */
function echoed(field, { left, right }) {
  const [name] = /^(couponCodeList|voucherId)\[\]$/.exec(field)?.slice(1) ?? [];
  if (!name) return null;
  const [a, b] = [left, right].map(({ order }) => listIn(order, name));
  if (!a || !b) return null;
  const once = (list) => exactText([...new Set(list)]);
  const isOnce = once(a) === once(b) && [a, b].some((list) => new Set(list).size === list.length);
  return isOnce ? (name === "voucherId" ? "echoedVouchers" : "echoedCodes") : null;
}

/** D27: one side has all failed codes of the other, and codes of the order that gave no discount. */
function failedCoupons(field, { left, right }) {
  if (field !== "discountResult.failedCoupons[]") return null;
  const sides = [left, right];
  const failed = sides.map(({ order }) => listIn(member(order, "discountResult"), "failedCoupons"));
  if (failed.includes(undefined) || sides.some(({ discounts }) => !discounts)) return null;
  const [few, many] = failed.sort((a, b) => a.length - b.length);
  const granted = new Set(sides.flatMap(({ discounts }) => discounts.map((discount) => member(discount, "coupon"))));
  const sent = new Set(listIn(left.order, "couponCodeList"));
  const isAdded =
    few.every((code) => many.includes(code)) && many.every((code) => few.includes(code) || (sent.has(code) && !granted.has(code)));
  return isAdded && few.length < many.length ? "failedCoupons" : null;
}

/**
 * The sentences of this package, and the reason why another service may have another one.
 * @type {[pattern: RegExp, reason: string][]}
 */
const SENTENCES = [
  [/^Failed to parse request body$/, "notJson"],
  [/^Invalid order: .*: expected at most \d+ [a-z ]+$|^Request body is larger than \d+ bytes$/s, "limits"],
  [/^Invalid order: /, "refused"],
  [/^No price for \S+$/, "errorText"],
  [/^Branch \S+ (not in polygon|is not available)$/, "errorText"],
  [new RegExp(`^No nationwide rate for .*/(${WORDS.NationwideMode.join("|")})$`, "s"), "errorText"],
  [/^Voucher .+ not found$/s, "errorText"],
  [/^Overflow: \S+ is too large$/, "overflow"],
  [/^\w+ did not answer within \d+ ms$|^The host does not supply \w+$|^Invalid answer from \w+: /, "lookupText"],
];

/** Why this package gives such a text; undefined if it is no sentence of this package. */
const reasonOf = (text) => SENTENCES.find(([pattern]) => pattern.test(text.slice(1)))?.[1];

/** What only one side refuses: a decision asks for it. What is not found is no such refusal. */
const REFUSALS = ["notJson", "limits", "refused", "overflow"];

function refusal(text) {
  const reason = typeOf(text) === "string" ? reasonOf(text) : undefined;
  return reason !== undefined && REFUSALS.includes(reason) ? reason : null;
}

function errorText({ left, right }) {
  if (typeOf(left) !== "string" || typeOf(right) !== "string") return null;
  const [a, b] = [left, right].map(reasonOf);
  if (a && b) return "firstFailure";
  return a ?? b ?? "lookupText"; // the words of a service
}
