// How each computed field comes about, by each statement of the specification and by the usual readings of it. The first
// statement of a field is this package's own; the others have the reason for the difference.
import { MODES } from "../../order-fields.js";
import { member, stringText, typeOf } from "../../shared/index.js";
import {
  amountIn,
  atLeast0,
  distance,
  FIFTY,
  isMore,
  isNear,
  isNegative,
  isZero,
  largest,
  minus,
  plus,
  smallest,
  sum,
  times,
  ZERO,
} from "./amounts.js";
import { listIn } from "./side.js";

/**
 * A statement: `holds(side, item, index)` says whether a side follows it, `inputs` are the fields that it uses. `item`
 * is the row or the schedule of the field. A field `row.x` is one of the same row.
 */
const states = (inputs, holds, reason) => ({ inputs, holds, reason });

/** A field that equals what `value` gives from the other fields of the same side. */
function equals(name, inputs, value, reason) {
  return states(inputs, (side, item, index) => isNear(amountIn(item ?? side.order, name), value(side, item, index)), reason);
}

/** The statements of a field, each as [inputs, value, reason]. */
const each = (name, statements) => statements.map((statement) => equals(name, ...statement));

/** Begins an input: a field of the controlled products alone. */
export const CONTROLLED = "controlled ";
const ROW_PRICE = ["row.price", "row.quantity"];
const effective = (row) => times(amountIn(row, "price"), amountIn(row, "quantity"));
const listed = (row) => times(amountIn(row, "originalPrice"), amountIn(row, "quantity"));
const charged = (row) => atLeast0(effective(row));
const stated = (row) => amountIn(row, "rowTotal");
const field = (name) => (side) => side.amount(name);
const total = (list, name) => (side) => sum(side[list]?.map((item) => amountIn(item, name)));
const rowSum = (value) => (side) => sum(side.rows?.map(value));
/** Of modes that {@link surcharge} has found to be texts. */
const isExpress = (schedule) => MODES[stringText(member(schedule, "mode"))]?.surcharge;
const isCharged = ({ order }, schedule) => isExpress(schedule) && member(member(order, "shipping"), "shippingType") === "sDELIVERY";
const SURCHARGED = ["row.mode", "shipping.shippingType"];

/** 50 baht or none; undefined without the fields that say which. */
function surcharge(side, isPaid) {
  const modes = side.schedules?.map((one) => member(one, "mode")) ?? [undefined];
  const known = [member(member(side.order, "shipping"), "shippingType"), ...modes];
  if (!known.every((text) => typeOf(text) === "string")) return undefined;
  return isPaid() ? FIFTY : ZERO;
}

/** D7: null is the default, false. Undefined if the field is missing, or no flag. */
function flagIn(object, name) {
  const value = member(object, name);
  if (value === null) return false;
  return typeof value === "boolean" ? value : undefined;
}

/** The items that have a flag; undefined without the list, or if one of them lacks the flag. */
function flagged(items, name) {
  const flags = items?.map((item) => flagIn(item, name)) ?? [undefined];
  return flags.includes(undefined) ? undefined : items.filter((_, index) => flags[index]);
}

const payable = (side) =>
  minus(
    plus(...["subTotal", "discountedDeliveryFee", "expressShippingCost"].map((name) => side.amount(name))),
    ...["cartDiscount", "bogoDiscount"].map((name) => side.amount(name)),
  );
const PAYABLE = ["subTotal", "discountedDeliveryFee", "expressShippingCost", "cartDiscount", "bogoDiscount"];
const rest = (side, ...names) => minus(payable(side), ...["voucherDiscount", ...names].map((name) => side.amount(name)));
const excluding = (side, value) => minus(side.amount("grandTotal"), sum(flagged(side.rows, "isControlledProduct")?.map(value)));
const EXCLUDED = ["grandTotal", "productList[].isControlledProduct"];
const EXCLUDED_PRICE = [...EXCLUDED, `${CONTROLLED}price`, `${CONTROLLED}quantity`];
const EXCLUDED_ROW_TOTAL = [...EXCLUDED, `${CONTROLLED}rowTotal`];
const grants = (side) => ifAny(flagged(side.discounts, "freeshipping"));
const ifAny = (list) => list && list.length > 0;
const GRANTED = "discountResult.discounts[].freeshipping";
/** What coupons take off: D16 shares it over the rows. */
const COUPONS = ["discount", "bogoDiscount", "two4Discount"].map((name) => `discountResult.discounts[].${name}`);

/** What a list of the order comes to if each entry counts that it repeats; undefined if none is repeated, or one is not known. */
function repeated(side, list, items, key, name) {
  const ids = listIn(side.order, list);
  if (!ids || new Set(ids).size === ids.length) return undefined;
  const amounts = new Map(side[items]?.map((item) => [member(item, key), amountIn(item, name)]));
  return sum(ids.filter((id) => amounts.has(id)).map((id) => amounts.get(id)));
}
const repeatedCodes = (name) => (side) => repeated(side, "couponCodeList", "discounts", "coupon", name);

/** A statement of cartDiscount, and of totalDiscount without what is folded. */
const folds = (reason, ...names) => [
  ["discountResult.discounts[].discount", ...names],
  (side) => plus(total("discounts", "discount")(side), ...names.map((name) => side.amount(name))),
  reason,
];
const DISCOUNTS = ["cartDiscount", "bogoDiscount", "two4Discount", "voucherDiscount", "percentageDiscount"];
const discountsWithout = (...names) => {
  const counted = DISCOUNTS.filter((name) => !names.includes(name));
  return [counted, (side) => plus(...counted.map((name) => side.amount(name)))];
};

const BY_FIELD = {
  "productList[].rowTotal": each("rowTotal", [
    [ROW_PRICE, (_, row) => charged(row)],
    [["row.originalPrice", "row.quantity"], (_, row) => atLeast0(listed(row)), "rowTotal"],
    [ROW_PRICE, (_, row) => effective(row), "negativeQuantity"],
  ]),
  "productList[].discountedRowTotal": [
    equals("discountedRowTotal", ROW_PRICE, (_, row) => charged(row)),
    equals("discountedRowTotal", ["row.rowTotal"], (_, row) => stated(row), "discountedFromRowTotal"),
    states([...ROW_PRICE, ...COUPONS], (side, row) => side.isShared(row, charged), "discountedRowTotal"),
    states(["row.rowTotal", ...COUPONS], (side, row) => side.isShared(row, stated), "discountedFromRowTotal"),
    equals("discountedRowTotal", ROW_PRICE, (_, row) => effective(row), "negativeQuantity"),
  ],
  "productList[].settlementPrice": [
    equals("settlementPrice", ["row.rowTotal"], (_, row) => stated(row)),
    states([], isFromRecord, "settlementPrice"),
    equals("settlementPrice", ["row.price"], (_, row) => amountIn(row, "price"), "settlementUnitPrice"),
    states([], mayBeFromRecord, "settlementPriceUnseen"),
  ],
  subTotal: each("subTotal", [
    [["productList[].price", "productList[].quantity"], rowSum(charged)],
    [["productList[].rowTotal"], (side) => atLeast0(total("rows", "rowTotal")(side)), "subTotal"],
    [["productList[].originalPrice", "productList[].quantity"], rowSum((row) => atLeast0(listed(row))), "subTotal"],
    [["productList[].price", "productList[].quantity"], (side) => atLeast0(rowSum(effective)(side)), "negativeQuantity"],
  ]),
  totalWeight: each("totalWeight", [
    [["productList[].weight", "productList[].quantity"], rowSum((row) => times(amountIn(row, "weight"), amountIn(row, "quantity")))],
  ]),
  grandTotal: each("grandTotal", [
    [[...PAYABLE, "voucherDiscount"], (side) => atLeast0(rest(side))],
    [[...PAYABLE, "voucherDiscount", "two4Discount"], (side) => atLeast0(rest(side, "two4Discount")), "subtracted"],
    [[...PAYABLE, "voucherDiscount", "percentageDiscount"], (side) => atLeast0(rest(side, "percentageDiscount")), "subtracted"],
    [
      [...PAYABLE, "voucherDiscount", "two4Discount", "percentageDiscount"],
      (side) => atLeast0(rest(side, "two4Discount", "percentageDiscount")),
      "subtracted",
    ],
    [[...PAYABLE, "voucherDiscount"], (side) => rest(side), "grandTotalFloor"],
  ]),
  totalExcludeControlledProducts: each("totalExcludeControlledProducts", [
    [EXCLUDED_PRICE, (side) => excluding(side, charged)],
    [EXCLUDED_ROW_TOTAL, (side) => excluding(side, stated), "excludeRowTotal"],
    [EXCLUDED_PRICE, (side) => atLeast0(excluding(side, charged)), "excludeFloor"],
    [EXCLUDED_ROW_TOTAL, (side) => atLeast0(excluding(side, stated)), "excludeFloor"],
  ]),
  deliveryFee: each("deliveryFee", [[["shipping.scheduleList[].deliveryFee"], total("schedules", "deliveryFee")]]),
  shippingFee: each("shippingFee", [[["deliveryFee"], field("deliveryFee")]]),
  shippingPrice: each("shippingPrice", [[["deliveryFee"], field("deliveryFee")]]),
  discountedDeliveryFee: each("discountedDeliveryFee", [
    [["deliveryFee", "shippingDiscount"], (side) => atLeast0(minus(side.amount("deliveryFee"), side.amount("shippingDiscount")))],
    [["deliveryFee", "shippingDiscount", GRANTED], (side) => (grants(side) ? ZERO : undefined), "freeShippingFee"],
  ]),
  "shipping.scheduleList[].expressFee": each("expressFee", [
    [SURCHARGED, (side, schedule, index) => surcharge(side, () => isCharged(side, schedule) && index === 0)],
    [
      SURCHARGED,
      (side, schedule, index) => surcharge(side, () => isCharged(side, schedule) && index === side.schedules.findIndex(isExpress)),
      "expressSurcharge",
    ],
    [SURCHARGED, (side, schedule) => surcharge(side, () => isCharged(side, schedule)), "expressEach"],
  ]),
  expressShippingCost: each("expressShippingCost", [
    [["shipping.scheduleList[].expressFee"], total("schedules", "expressFee")],
    [
      ["shipping.scheduleList[].mode", "shipping.shippingType"],
      (side) => surcharge(side, () => side.schedules.some((one) => isCharged(side, one))),
      "expressAny",
    ],
  ]),
  cartDiscount: each("cartDiscount", [
    [["discountResult.discounts[].discount"], total("discounts", "discount")],
    [["discountResult.discounts[].discount"], repeatedCodes("discount"), "repeatedCode"],
    folds("foldedTwo4", "two4Discount"),
    folds("foldedPercentage", "percentageDiscount"),
    folds("folded", "two4Discount", "percentageDiscount"),
  ]),
  bogoDiscount: each("bogoDiscount", [
    [["discountResult.discounts[].bogoDiscount"], total("discounts", "bogoDiscount")],
    [["discountResult.discounts[].bogoDiscount"], repeatedCodes("bogoDiscount"), "repeatedCode"],
  ]),
  two4Discount: each("two4Discount", [
    [["discountResult.discounts[].two4Discount"], total("discounts", "two4Discount")],
    [["discountResult.discounts[].two4Discount"], repeatedCodes("two4Discount"), "repeatedCode"],
  ]),
  percentageDiscount: each("percentageDiscount", [
    [
      ["discountResult.discounts[].percentageDiscount", "subTotal"],
      (side) => times(largest(side.discounts?.map((one) => amountIn(one, "percentageDiscount"))), side.amount("subTotal")),
    ],
    [
      ["discountResult.discounts[].percentageDiscount", "subTotal"],
      (side) => times(total("discounts", "percentageDiscount")(side), side.amount("subTotal")),
      "percentage",
    ],
  ]),
  shippingDiscount: each("shippingDiscount", [
    [["discountResult.discounts[].shippingDiscount"], total("discounts", "shippingDiscount")],
    [
      ["discountResult.discounts[].shippingDiscount", "deliveryFee", GRANTED],
      (side) => (grants(side) ? largest([total("discounts", "shippingDiscount")(side), side.amount("deliveryFee")]) : undefined),
      "freeShipping",
    ],
    [
      ["discountResult.discounts[].shippingDiscount", "deliveryFee"],
      (side) => smallest(total("discounts", "shippingDiscount")(side), side.amount("deliveryFee")),
      "shippingDiscountCap",
    ],
  ]),
  voucherDiscount: each("voucherDiscount", [
    [["validVouchers[].value"], total("vouchers", "value")],
    [["validVouchers[].value"], (side) => repeated(side, "voucherId", "vouchers", "voucherId", "value"), "repeatedVoucher"],
    [["validVouchers[].value", ...PAYABLE], (side) => smallest(total("vouchers", "value")(side), atLeast0(payable(side))), "voucherCap"],
  ]),
  totalDiscount: each("totalDiscount", [
    discountsWithout(),
    [...discountsWithout("two4Discount"), "foldedTwo4"],
    [...discountsWithout("percentageDiscount"), "foldedPercentage"],
    [...discountsWithout("two4Discount", "percentageDiscount"), "folded"],
  ]),
  isFreeShipping: [
    states([GRANTED], (side) => member(side.order, "isFreeShipping") === grants(side)),
    states(["discountedDeliveryFee"], (side) => member(side.order, "isFreeShipping") === isFree(side), "isFreeShipping"),
  ],
};

/** The statements of each computed field. */
export const STATEMENTS = new Map(Object.entries(BY_FIELD));

const isFree = (side) => {
  const fee = side.amount("discountedDeliveryFee");
  return fee !== undefined && isZero(fee);
};

/** No product's own settlement price is so close to rowTotal: a few satang more or less are a fault. */
const FEW_SATANG = { digits: 5n, scale: 2n };

/** D17: whether a row's settlementPrice is that of the product's record. */
function isFromRecord(side, row) {
  const known = side.recordOf?.(row);
  return known !== undefined && isNear(amountIn(row, "settlementPrice"), amountIn(known, "settlementPrice"));
}

/** D17: whether it may be, where nobody shows the record. A row that costs something is not settled at 0. */
function mayBeFromRecord(side, row) {
  const [shown, rowTotal] = [amountIn(row, "settlementPrice"), amountIn(row, "rowTotal")];
  if (shown === undefined || rowTotal === undefined || side.recordOf?.(row)) return false;
  return !isNegative(shown) && !isZero(shown) && isMore(distance(shown, rowTotal), FEW_SATANG);
}
