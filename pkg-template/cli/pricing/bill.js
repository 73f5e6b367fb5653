import { MODES } from "../../order-fields.js";
import { amount, printable, table } from "../screen/index.js";

/** @typedef {import("order-cost").PricedOrder} PricedOrder */

/**
 * Shows a priced order as a bill for people. Every amount comes from the order: nothing is priced here.
 * @param {PricedOrder} order
 * @param {boolean} color
 */
export function bill(order, color) {
  const products = charges(order).map(({ productName, quantity, unit, charge }) => [
    productName,
    `${quantity}`,
    amount(unit),
    amount(charge),
  ]);
  const sums = [...parts(order), { name: "Grand total", sum: order.grandTotal }].map(({ name, sum }) => [name, "", "", amount(sum)]);
  const rows = [...products, ["", "", "", ""], ...sums];
  const head = ["product", "quantity", "price", "amount"];
  const lines = table({ head, rows, right: [1, 2, 3], isTotalled: true, color });
  return [...heading(order), lines, ...notes(order).map(printable)].join("\n");
}

/**
 * What each row adds to the subtotal, and at which price: not always its rowTotal (D15).
 * @param {PricedOrder} order
 */
function charges({ productList, subTotal }) {
  const isSum = isNear(
    productList.reduce((sum, { rowTotal }) => sum + rowTotal, 0),
    subTotal,
  );
  return productList.map(({ productName, quantity, price, originalPrice, rowTotal }) => {
    const effective = Math.max(price * quantity, 0);
    if (!isSum) return { productName, quantity, unit: price, charge: effective };
    return { productName, quantity, unit: isNear(effective, rowTotal) ? price : originalPrice, charge: rowTotal };
  });
}

function heading({ orderId, branchId, ownerId }) {
  const parts = [orderId && `order ${orderId}`, branchId && `branch ${branchId}`, ownerId && `owner ${ownerId}`];
  return [printable(parts.filter(Boolean).join(" · ")), ""];
}

/**
 * The parts of the grand total, which is their sum, or zero if the sum is negative.
 * @param {PricedOrder} order
 */
function parts(order) {
  return [
    { name: "Subtotal", sum: order.subTotal },
    ...schedules(order),
    ...optional("Delivery discount", -Math.min(order.shippingDiscount, order.deliveryFee)),
    ...optional("Express surcharge", order.expressShippingCost),
    ...order.discountResult.discounts.flatMap(({ coupon, discount, bogoDiscount }) => [
      ...optional(`Coupon ${coupon}`, -discount),
      ...optional(`Coupon ${coupon}, buy one get one`, -bogoDiscount),
    ]),
    ...optional("Discounts folded into the coupons'", -folded(order)),
    ...order.validVouchers.map(({ voucherId, value }) => ({ name: `Voucher ${voucherId}`, sum: -value })),
  ];
}

/** @param {PricedOrder} order */
function schedules({ shipping }) {
  if (shipping?.shippingType !== "DELIVERY") return [];
  return shipping.scheduleList
    .filter(({ mode }) => MODES[mode]?.source !== "free")
    .map(({ mode, scheduleId, deliveryFee }) => ({ name: `Delivery ${mode.toLowerCase()} (${scheduleId})`, sum: deliveryFee }));
}

/**
 * D48: what a policy adds to the coupons' discounts, to half a satang.
 * @param {Pick<PricedOrder, "cartDiscount" | "discountResult">} order
 */
function folded({ cartDiscount, discountResult }) {
  const own = discountResult.discounts.reduce((sum, { discount }) => sum + discount, 0);
  return isNear(cartDiscount, own) ? 0 : cartDiscount - own;
}

const isNear = (a, b) => Math.abs(a - b) < 0.005;

/**
 * @param {string} name
 * @param {number} sum
 */
function optional(name, sum) {
  return sum === 0 ? [] : [{ name, sum }];
}

/**
 * Facts that change no total.
 * @param {PricedOrder} order
 */
function notes({ discountResult, invalidVouchers, two4Discount, percentageDiscount, totalWeight, ...order }) {
  const subtracted = folded({ discountResult, ...order });
  const isOnlyStated = (discount, other) =>
    discount > 0 && (subtracted === 0 || (isNear(subtracted, other) && !isNear(subtracted, discount)));
  const lines = [
    ...discountResult.failedCoupons.map((code) => `Coupon ${code} is not valid.`),
    ...invalidVouchers.map(({ voucherId, reasons }) => `Voucher ${voucherId} is refused: ${reasons.join(", ")}.`),
    isOnlyStated(two4Discount, percentageDiscount) && `Two-for discount ${amount(two4Discount)}: stated, not subtracted.`,
    isOnlyStated(percentageDiscount, two4Discount) && `Percentage discount ${amount(percentageDiscount)}: stated, not subtracted.`,
    `Weight ${new Intl.NumberFormat("en", { maximumFractionDigits: 20 }).format(totalWeight)} kg.`,
  ];
  return ["", ...lines.filter(Boolean)];
}
