import { fits, integer, isNegative, max, multiply, roundToFit, subtract, sum, ZERO } from "./decimal.js";
import { overflow } from "./fault.js";

/** Rows and totals (D13, D15 to D22, D28, D48). Every sum is exact; only products are rounded (D19). */

function field(name, value) {
  if (!fits(value)) throw overflow(name);
  return value;
}

function product(name, a, b) {
  const value = roundToFit(multiply(a, b));
  if (!value) throw overflow(name);
  return value;
}

const floor = (value) => max(value, ZERO);

/** A row never discounts an order (D13): a negative amount counts 0, however large it is. */
function rowAmount(name, unitPrice, quantity) {
  return isNegative(quantity) ? ZERO : product(name, unitPrice, quantity);
}

/** The priced rows before coupons. */
export function priceRows(order, prices, policy) {
  return order.productList.map((ordered, index) => {
    const record = prices.get(ordered.cprcode);
    const quantity = integer(ordered.quantity);
    const name = `productList[${index}].rowTotal`;
    const used = usingEffective(index, record, policy);
    const effective = used ? rowAmount(used, record.price, quantity) : ZERO;
    const rowTotal = policy.rowTotal === "list" ? rowAmount(name, record.originalPrice, quantity) : effective; // D15
    return {
      ...ordered,
      ...record,
      branchId: order.branchId,
      effective,
      rowTotal,
      discountedRowTotal: policy.discountedRowTotal === "fromRowTotal" ? rowTotal : effective,
      settlementPrice: settlementPrice(record, rowTotal, policy),
    };
  });
}

/** The first field that uses price × quantity, if any does: that field is too large if the product is. */
function usingEffective(index, { isControlledProduct }, policy) {
  if (policy.rowTotal !== "list") return `productList[${index}].rowTotal`;
  if (policy.subTotal !== "rowTotals") return "subTotal";
  if (policy.discountedRowTotal !== "fromRowTotal") return `productList[${index}].discountedRowTotal`;
  return policy.excludeControlled !== "rowTotal" && isControlledProduct && "totalExcludeControlledProducts";
}

/** D17, D48. */
function settlementPrice(record, rowTotal, policy) {
  if (policy.settlementPrice === "rowTotal") return rowTotal;
  return record.settlementPrice ?? (policy.settlementPrice === "record" ? record.price : rowTotal);
}

/** The amounts that are known before the coupon service is asked. */
export function totalsBeforeCoupons(rows, delivery, policy) {
  return {
    subTotal: field("subTotal", sum(rows.map((row) => (policy.subTotal === "rowTotals" ? row.rowTotal : row.effective)))),
    totalWeight: field("totalWeight", sum(rows.map((row) => product("totalWeight", row.weight, integer(row.quantity))))),
    deliveryFee: field("deliveryFee", sum(delivery.map((one) => one.deliveryFee))),
    expressShippingCost: sum(delivery.map((one) => one.surcharge)),
  };
}

/** D16: `lines` distribute the discounts' amounts over the rows. */
export function discountRows(rows, lines) {
  return rows.map((row, index) => {
    const name = `productList[${index}].discountedRowTotal`;
    const off = sum(lines.filter(({ line }) => line === index).map(({ discount }) => discount));
    return { ...row, discountedRowTotal: field(name, floor(subtract(row.discountedRowTotal, off))) };
  });
}

/** D48: the amounts that are folded into cartDiscount, those that fit, and which they are. */
function foldedDiscounts({ foldedDiscounts: policy = "none" }, two4, percentage) {
  const isFolded = { two4: ["two4", "both"].includes(policy), percentage: ["percentage", "both"].includes(policy) };
  const amounts = [isFolded.two4 && fits(two4) && two4, isFolded.percentage && percentage];
  return { folded: amounts.filter(Boolean), isFolded };
}

/** The 16 scalars and isFreeShipping. An overflow is found in the sequence of the calculation. */
export function totalsAfterCoupons(before, rows, { discounts, lines }, vouchers, policy) {
  const { subTotal, deliveryFee, expressShippingCost } = before;
  const sumOf = (name) => sum(discounts.map((discount) => discount[name]));

  const percentage = discounts.map((discount) => discount.percentageDiscount).reduce(max, ZERO);
  const { folded, isFolded } = foldedDiscounts(policy, sumOf("two4Discount"), roundToFit(multiply(percentage, subTotal)));
  const cartDiscount = field("cartDiscount", sum([sumOf("discount"), ...folded]));
  const bogoDiscount = field("bogoDiscount", sumOf("bogoDiscount"));
  const two4Discount = field("two4Discount", sumOf("two4Discount"));
  const percentageDiscount = product("percentageDiscount", percentage, subTotal); // D21
  const isFreeShipping = discounts.some((discount) => discount.freeshipping);
  const waived = isFreeShipping && policy.freeShipping === "waivesDelivery"; // D28
  const granted = sumOf("shippingDiscount");
  const shippingDiscount = field("shippingDiscount", waived ? max(granted, deliveryFee) : granted);
  const discountedRows = discountRows(rows, lines);
  const voucherDiscount = field("voucherDiscount", sum(vouchers.filter((one) => one.valid).map((one) => one.value)));
  const totalDiscount = field(
    "totalDiscount",
    sum([
      cartDiscount,
      bogoDiscount,
      isFolded.two4 ? ZERO : two4Discount,
      voucherDiscount,
      isFolded.percentage ? ZERO : percentageDiscount,
    ]),
  );
  const discountedDeliveryFee = field("discountedDeliveryFee", floor(subtract(deliveryFee, shippingDiscount)));
  const charges = sum([subTotal, discountedDeliveryFee, expressShippingCost]);
  const reductions = sum([cartDiscount, bogoDiscount, voucherDiscount]); // rule 10
  const grandTotal = field("grandTotal", floor(subtract(charges, reductions)));
  const excluded = (row) => (policy.excludeControlled === "rowTotal" ? row.rowTotal : row.effective);
  const controlled = rows.filter((row) => row.isControlledProduct).map(excluded);
  const totalExcludeControlledProducts = field(
    "totalExcludeControlledProducts",
    subtract(grandTotal, sum(controlled)), // D20
  );

  return {
    rows: discountedRows,
    totals: {
      ...before,
      grandTotal,
      totalExcludeControlledProducts,
      discountedDeliveryFee,
      shippingFee: deliveryFee,
      shippingPrice: deliveryFee,
      cartDiscount,
      bogoDiscount,
      two4Discount,
      percentageDiscount,
      shippingDiscount,
      voucherDiscount,
      totalDiscount,
      isFreeShipping,
    },
  };
}
