import { printable } from "./printable.js";
import { amount, table } from "./table.js";

/** Shows a priced order as a bill for people. Every amount comes from the order: nothing is priced here. */
export function bill(order, color) {
  const products = order.productList.map(({ productName, quantity, price, rowTotal }) => [
    productName,
    `${quantity}`,
    amount(price),
    amount(rowTotal),
  ]);
  const sums = [...parts(order), ["Grand total", order.grandTotal]].map(([name, sum]) => [name, "", "", amount(sum)]);
  const rows = [...products, ["", "", "", ""], ...sums];
  const head = ["product", "quantity", "price", "amount"];
  const lines = table({ head, rows, right: [1, 2, 3], isTotalled: true, color });
  return [...heading(order), lines, ...notes(order).map(printable)].join("\n");
}

function heading({ orderId, branchId, ownerId }) {
  const parts = [orderId && `order ${orderId}`, branchId && `branch ${branchId}`, ownerId && `owner ${ownerId}`];
  return [printable(parts.filter(Boolean).join(" · ")), ""];
}

/** The parts of the grand total, which is their sum, or zero if the sum is negative. */
function parts(order) {
  return [
    ["Subtotal", order.subTotal],
    ...schedules(order),
    ...optional("Delivery discount", -Math.min(order.shippingDiscount, order.deliveryFee)),
    ...optional("Express surcharge", order.expressShippingCost),
    ...order.discountResult.discounts.flatMap(({ coupon, discount, bogoDiscount }) => [
      ...optional(`Coupon ${coupon}`, -discount),
      ...optional(`Coupon ${coupon}, buy one get one`, -bogoDiscount),
    ]),
    ...order.validVouchers.map(({ voucherId, value }) => [`Voucher ${voucherId}`, -value]),
  ];
}

function schedules({ shipping }) {
  if (shipping?.shippingType !== "DELIVERY") return [];
  return shipping.scheduleList
    .filter(({ mode }) => mode !== "PICKUP")
    .map(({ mode, scheduleId, deliveryFee }) => [`Delivery ${mode.toLowerCase()} (${scheduleId})`, deliveryFee]);
}

function optional(name, sum) {
  return sum === 0 ? [] : [[name, sum]];
}

/** Facts that change no total. */
function notes({ discountResult, invalidVouchers, two4Discount, percentageDiscount, totalWeight }) {
  const lines = [
    ...discountResult.failedCoupons.map((code) => `Coupon ${code} is not valid.`),
    ...invalidVouchers.map(({ voucherId, reasons }) => `Voucher ${voucherId} is refused: ${reasons.join(", ")}.`),
    two4Discount > 0 && `Two-for discount ${amount(two4Discount)}: stated, not subtracted.`,
    percentageDiscount > 0 && `Percentage discount ${amount(percentageDiscount)}: stated, not subtracted.`,
    `Weight ${new Intl.NumberFormat("en", { maximumFractionDigits: 20 }).format(totalWeight)} kg.`,
  ];
  return ["", ...lines.filter(Boolean)];
}
