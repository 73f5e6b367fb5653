// How each computed field comes about, by each statement of the specification and by the usual readings of it. The first
// statement of a field is this package's own; the others have the reason for the difference.
import { member, typeOf } from "../../exact-json.js";
import { FIFTY, ZERO, amountIn, atLeast0, distance, isMore, isNear, isNegative, isZero, largest, minus, plus, smallest, sum, times } from "./amounts.js";

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

/** An input: `rowTotal` of the controlled products. */
export const CONTROLLED_ROW_TOTAL = "controlled rowTotal";
const ROW_PRICE = ["row.price", "row.quantity"];
const effective = (row) => times(amountIn(row, "price"), amountIn(row, "quantity"));
const listed = (row) => times(amountIn(row, "originalPrice"), amountIn(row, "quantity"));
const charged = (row) => atLeast0(effective(row));
const stated = (row) => amountIn(row, "rowTotal");
const field = (name) => (side) => side.amount(name);
const total = (list, name) => (side) => sum(side[list].map((item) => amountIn(item, name)));
const rowSum = (value) => (side) => sum(side.rows.map(value));
const isExpress = (schedule) => member(schedule, "mode") === "sEXPRESS";
const isCharged = ({ order }, schedule) => isExpress(schedule) && member(member(order, "shipping"), "shippingType") === "sDELIVERY";
const isGranted = (discount) => member(discount, "freeshipping") === true;

const payable = (side) =>
  minus(
    plus(...["subTotal", "discountedDeliveryFee", "expressShippingCost"].map((name) => side.amount(name))),
    ...["cartDiscount", "bogoDiscount"].map((name) => side.amount(name)),
  );
const PAYABLE = ["subTotal", "discountedDeliveryFee", "expressShippingCost", "cartDiscount", "bogoDiscount"];
const rest = (side, ...names) => minus(payable(side), ...["voucherDiscount", ...names].map((name) => side.amount(name)));
const controlled = (side) =>
  sum(side.rows.filter((row) => member(row, "isControlledProduct") === true).map((row) => amountIn(row, "rowTotal")));
const grants = (side) => side.discounts.some(isGranted);

export const STATEMENTS = {
  "productList[].rowTotal": each("rowTotal", [
    [ROW_PRICE, (_, row) => charged(row)],
    [["row.originalPrice", "row.quantity"], (_, row) => atLeast0(listed(row)), "rowTotal"],
    [ROW_PRICE, (_, row) => effective(row), "negativeQuantity"],
  ]),
  "productList[].discountedRowTotal": [
    equals("discountedRowTotal", ROW_PRICE, (_, row) => charged(row)),
    equals("discountedRowTotal", ["row.rowTotal"], (_, row) => stated(row), "discountedRowTotal"),
    states(ROW_PRICE, (side, row) => side.isShared(row, charged), "discountedRowTotal"),
    states(["row.rowTotal"], (side, row) => side.isShared(row, stated), "discountedRowTotal"),
    equals("discountedRowTotal", ROW_PRICE, (_, row) => effective(row), "negativeQuantity"),
  ],
  "productList[].settlementPrice": [
    equals("settlementPrice", ["row.rowTotal"], (_, row) => stated(row), "settlementPrice"),
    states([], isFromRecord),
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
    [["grandTotal", CONTROLLED_ROW_TOTAL], (side) => minus(side.amount("grandTotal"), controlled(side))],
    [["grandTotal", CONTROLLED_ROW_TOTAL], (side) => atLeast0(minus(side.amount("grandTotal"), controlled(side))), "excludeFloor"],
  ]),
  deliveryFee: each("deliveryFee", [[["shipping.scheduleList[].deliveryFee"], total("schedules", "deliveryFee")]]),
  shippingFee: each("shippingFee", [[["deliveryFee"], field("deliveryFee")]]),
  shippingPrice: each("shippingPrice", [[["deliveryFee"], field("deliveryFee")]]),
  discountedDeliveryFee: each("discountedDeliveryFee", [
    [["deliveryFee", "shippingDiscount"], (side) => atLeast0(minus(side.amount("deliveryFee"), side.amount("shippingDiscount")))],
    [["deliveryFee", "shippingDiscount"], (side) => (grants(side) ? ZERO : undefined), "freeShippingFee"],
  ]),
  "shipping.scheduleList[].expressFee": each("expressFee", [
    [[], (side, schedule, index) => (isCharged(side, schedule) && index === 0 ? FIFTY : ZERO)],
    [[], (side, schedule, index) => (isCharged(side, schedule) && index === side.schedules.findIndex(isExpress) ? FIFTY : ZERO), "expressSurcharge"],
    [[], (side, schedule) => (isCharged(side, schedule) ? FIFTY : ZERO), "expressEach"],
  ]),
  expressShippingCost: each("expressShippingCost", [
    [["shipping.scheduleList[].expressFee"], total("schedules", "expressFee")],
    [[], (side) => (side.schedules.some((one) => isCharged(side, one)) ? FIFTY : ZERO), "expressSurcharge"],
  ]),
  cartDiscount: each("cartDiscount", [
    [["discountResult.discounts[].discount"], total("discounts", "discount")],
    [
      ["discountResult.discounts[].discount", "two4Discount"],
      (side) => plus(total("discounts", "discount")(side), side.amount("two4Discount")),
      "subtracted",
    ],
    [
      ["discountResult.discounts[].discount", "percentageDiscount"],
      (side) => plus(total("discounts", "discount")(side), side.amount("percentageDiscount")),
      "subtracted",
    ],
  ]),
  bogoDiscount: each("bogoDiscount", [[["discountResult.discounts[].bogoDiscount"], total("discounts", "bogoDiscount")]]),
  two4Discount: each("two4Discount", [[["discountResult.discounts[].two4Discount"], total("discounts", "two4Discount")]]),
  percentageDiscount: each("percentageDiscount", [
    [
      ["discountResult.discounts[].percentageDiscount", "subTotal"],
      (side) => times(largest(...side.discounts.map((one) => amountIn(one, "percentageDiscount"))), side.amount("subTotal")),
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
      ["discountResult.discounts[].shippingDiscount", "deliveryFee"],
      (side) => (grants(side) ? largest(total("discounts", "shippingDiscount")(side), side.amount("deliveryFee")) : undefined),
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
    [["validVouchers[].value", ...PAYABLE], (side) => smallest(total("vouchers", "value")(side), atLeast0(payable(side))), "voucherCap"],
  ]),
  totalDiscount: each("totalDiscount", [
    [
      ["cartDiscount", "bogoDiscount", "two4Discount", "voucherDiscount", "percentageDiscount"],
      (side) =>
        plus(...["cartDiscount", "bogoDiscount", "two4Discount", "voucherDiscount", "percentageDiscount"].map((name) => side.amount(name))),
    ],
  ]),
  isFreeShipping: [
    states(["discountResult.discounts[].freeshipping"], (side) => member(side.order, "isFreeShipping") === grants(side)),
    states(["discountedDeliveryFee"], (side) => member(side.order, "isFreeShipping") === isFree(side), "isFreeShipping"),
  ],
};

const isFree = (side) => {
  const fee = side.amount("discountedDeliveryFee");
  return fee !== undefined && isZero(fee);
};

/** No product's own settlement price is so close to rowTotal: a few satang more or less are a fault. */
const FEW_SATANG = { digits: 5n, scale: 2n };

/** D17: whether a row's settlementPrice may come from the product's record, which a response does not show. */
function isFromRecord(side, row) {
  const [shown, rowTotal] = [amountIn(row, "settlementPrice"), amountIn(row, "rowTotal")];
  if (shown === undefined || rowTotal === undefined) return false;
  const known = side.recordOf?.(row);
  if (known) return isNear(shown, amountIn(known, "settlementPrice"));
  return !isNegative(shown) && isMore(distance(shown, rowTotal), FEW_SATANG);
}

/** One side of a comparison. `recordOf(row)` gives a row's price record, where the facts are known. */
export class Side {
  #shares = new Map();

  constructor(order, recordOf) {
    this.order = order;
    this.recordOf = recordOf;
    this.rows = list(order, "productList");
    this.schedules = list(member(order, "shipping"), "scheduleList");
    this.discounts = list(member(order, "discountResult"), "discounts");
    this.vouchers = list(order, "validVouchers");
  }

  amount(name) {
    return amountIn(this.order, name);
  }

  /**
   * D16: whether `discountedRowTotal` may be `before` less a coupon's share. A response does not show the shares; all of
   * them together must be the amounts of some of the coupons.
   */
  isShared(row, before) {
    const shareOf = (one) => minus(before(one), amountIn(one, "discountedRowTotal"));
    const share = shareOf(row);
    if (share === undefined || isNegative(share) || isZero(share)) return false;
    if (!this.#shares.has(before)) this.#shares.set(before, this.#areShares(this.rows.map(shareOf)));
    return this.#shares.get(before);
  }

  #areShares(shares) {
    const all = sum(shares);
    if (all === undefined || shares.some(isNegative)) return false;
    const amounts = this.discounts
      .flatMap((discount) => ["discount", "bogoDiscount", "two4Discount"].map((name) => amountIn(discount, name)))
      .filter((amount) => amount !== undefined && !isZero(amount));
    const mayBeCut = this.rows.some((row) => isZero(amountIn(row, "discountedRowTotal")));
    if (mayBeCut) return !isMore(all, plus(...amounts));
    return subsetSums(amounts).some((amount) => isNear(amount, all));
  }
}

/** The most coupons whose combinations are tried. */
const MOST_AMOUNTS = 12;

function subsetSums(amounts) {
  if (amounts.length > MOST_AMOUNTS) return [plus(...amounts)];
  return amounts.reduce((sums, amount) => [...sums, ...sums.map((one) => plus(one, amount))], [ZERO]);
}

function list(object, name) {
  const value = member(object, name);
  return typeOf(value) === "array" ? value : [];
}
