import { element, spoken } from "./dom.js";
import { count, dateTime, money, off, percent, weight } from "./format.js";

const MODES = {
  REGULAR: "Regular delivery",
  EXPRESS: "Express delivery",
  NATIONWIDE: "Nationwide parcel",
  PICKUP: "Pickup at the branch",
};
const PARCELS = { DRY: "dry", FRESH: "fresh", MIX: "dry and fresh" };
const REASONS = { inactive: "not active", used: "used already", ownerMismatch: "not this customer's" };

/**
 * A priced order as a bill.
 * @param {object} order the response, its numbers as texts
 * @param {object} names what the response has only codes for
 * @param {Map<string, string>} names.branches by branchId
 * @param {Map<string, string>} names.coupons what a coupon promises, by code
 */
export function renderBill(order, names) {
  return element(
    "table",
    {},
    element("caption", {}, captionOf(order, names.branches)),
    element("thead", { class: "visually-hidden" }, row(column("Item"), column("Amount"))),
    section("Products", productRows(order)),
    section("Delivery", deliveryRows(order.shipping)),
    section("Coupons", couponRows(order.discountResult, names.coupons)),
    section("Vouchers", voucherRows(order)),
    section("Total", totalRows(order), "totals"),
    section("For information", informationRows(order)),
  );
}

/**
 * Why there is no bill.
 * @param {import("./pricing.js").Answer} answer
 */
export function renderFailure({ text, failure: { message, code, path, status } }) {
  const facts = [["Code", code], ["Path", path], ["Status", status && `HTTP ${status}`]].filter(([, value]) => value);
  return element(
    "div",
    { class: "failure" },
    element("h3", {}, text === undefined ? "No answer" : "This order has no price"),
    element("p", {}, message),
    element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
  );
}

function captionOf({ branchId, orderId, ownerId }, branches) {
  const branch = [`Branch ${branchId}`, branches.get(branchId)].filter(Boolean).join(", ");
  return [branch, orderId, ownerId && `customer ${ownerId}`].filter(Boolean).join(" · ");
}

// Sections of rows: an item, notes on it, and its amount

function section(title, rows, kind = "section") {
  if (rows.length === 0) return undefined;
  return element("tbody", { class: kind }, row(element("th", { scope: "rowgroup", colspan: "2" }, title)), ...rows);
}

const row = (...cells) => element("tr", {}, ...cells);
const column = (name) => element("th", { scope: "col" }, name);

function item(name, notes, amount) {
  const lines = notes.filter(Boolean).map((note) => element("span", { class: "note" }, ...[note].flat()));
  return row(element("th", { scope: "row" }, name, ...lines), element("td", {}, amount));
}

const tag = (text) => element("span", { class: "tag" }, text);
const thai = (text) => element("span", { lang: "th" }, text);
const isZero = (amount) => Number(amount) === 0;

/** Rule 10: some discounts are computed, and not subtracted. */
const notSubtracted = () => tag("Not subtracted");
const stated = (amount) => element("span", { class: "stated" }, amount);

// Products and delivery

function productRows({ productList, shipping }) {
  const hasSlots = shipping?.scheduleList.length > 1;
  return productList.map((product) => {
    const { productName, quantity, price, remark, scheduleId, rowTotal, discountedRowTotal } = product;
    const tags = [product.isControlledProduct && "Controlled product", product.isPreOrder && "Pre-order"].filter(Boolean);
    return item(
      thai(productName),
      [
        [`${count(quantity)} × ${money(price)}`, ...listPrice(product), hasSlots ? ` · slot ${scheduleId}` : ""],
        discountedRowTotal !== rowTotal && `${money(discountedRowTotal)} after coupons for this product`,
        remark && thai(remark),
        tags.length > 0 && tags.map(tag),
      ],
      money(rowTotal),
    );
  });
}

function listPrice({ price, originalPrice }) {
  if (Number(price) >= Number(originalPrice)) return [];
  return [" ", element("s", {}, spoken("list price "), money(originalPrice))];
}

function deliveryRows(shipping) {
  if (shipping === null) return [item("No shipping", [], money("0"))];
  const { shippingType, scheduleList } = shipping;
  if (scheduleList.length === 0) return [item(shippingType === "PICKUP" ? MODES.PICKUP : "No delivery slot", [], money("0"))];
  return scheduleList.flatMap((schedule) => scheduleRows(schedule, shippingType, scheduleList.length > 1));
}

function scheduleRows({ scheduleId, mode, nationwideMode, nationwideConfig, ...schedule }, shippingType, isOneOfMany) {
  const isNationwide = mode === "NATIONWIDE" && shippingType === "DELIVERY"; // D33: an order that is picked up pays no delivery
  const name = shippingType === "PICKUP" ? MODES.PICKUP : MODES[mode];
  const notes = [
    isOneOfMany && `slot ${scheduleId}`,
    schedule.dateTime !== null && dateTime(schedule.dateTime),
    isNationwide && nationwideConfig !== null && `rate ${nationwideConfig}`,
  ].filter(Boolean);
  return [
    item(isNationwide ? `${name}, ${PARCELS[nationwideMode]}` : name, [notes.join(" · ")], money(schedule.deliveryFee)),
    !isZero(schedule.expressFee) && item("Express surcharge", [], money(schedule.expressFee)),
  ].filter(Boolean);
}

// Coupons and vouchers

function couponRows({ discounts, failedCoupons, error }, promises) {
  const failed = failedCoupons.map((code) => item(refused(code), [promises.get(code), "Not accepted for this order"], stated("none")));
  const fault = Object.keys(error).length > 0 && item("The coupon service says", [JSON.stringify(error)], "");
  return [...discounts.flatMap((discount) => discountRows(discount, promises)), ...failed, fault].filter(Boolean);
}

function discountRows(discount, promises) {
  const { coupon, shippingDiscount, two4Discount, percentageDiscount, freeshipping } = discount;
  const rows = [
    [discount.discount, off, "Off the order"],
    [discount.bogoDiscount, off, "Buy one, get one"],
    [shippingDiscount, off, freeshipping ? "Free delivery" : "Off delivery"],
    [two4Discount, money, "Two for one price", notSubtracted],
    [percentageDiscount, percent, "Percentage", notSubtracted],
  ].filter(([amount]) => !isZero(amount));
  // D28: free shipping without an amount leaves the fee as it is.
  if (freeshipping && isZero(shippingDiscount)) rows.push(["0", money, "Free delivery, without an amount"]);
  if (rows.length === 0) rows.push(["0", money, "Nothing off"]);

  return rows.map(([amount, format, kind, mark]) =>
    item(coupon, [promises.get(coupon) ?? kind, mark && [mark()]], mark ? stated(format(amount)) : format(amount)),
  );
}

function voucherRows({ validVouchers, invalidVouchers }) {
  const valid = validVouchers.map(({ voucherId, title, value }) => item(voucherId, [title], off(value)));
  const invalid = invalidVouchers.map(({ voucherId, title, value, reasons }) =>
    item(refused(voucherId), [title, `Not valid: ${reasons.map((reason) => REASONS[reason]).join(", ")}`], stated(money(value))),
  );
  return [...valid, ...invalid];
}

const refused = (code) => element("s", {}, code);

// Totals: what is added up, and what is only told

function totalRows(order) {
  const { subTotal, deliveryFee, discountedDeliveryFee, expressShippingCost, grandTotal } = order;
  const lowered = discountedDeliveryFee !== deliveryFee && `${money(deliveryFee)} less ${money(order.shippingDiscount)}`;
  const floored = isZero(grandTotal) && !isZero(subTotal) && "A total is never below zero";
  const grand = item("Grand total", [floored], money(grandTotal));
  grand.className = "grand";
  return [
    item("Subtotal", [], money(subTotal)),
    (!isZero(deliveryFee) || lowered) && item("Delivery", [lowered], money(discountedDeliveryFee)),
    ...unlessZero([
      ["Express surcharge", expressShippingCost, money],
      ["Coupons", order.cartDiscount, off],
      ["Buy one, get one", order.bogoDiscount, off],
      ["Vouchers", order.voucherDiscount, off],
    ]),
    grand,
  ].filter(Boolean);
}

function informationRows(order) {
  return [
    ...unlessZero([
      ["Two for one price", order.two4Discount, money, notSubtracted],
      ["Percentage discount", order.percentageDiscount, money, notSubtracted],
      ["All discounts, with those not subtracted", order.totalDiscount, money],
    ]),
    order.totalExcludeControlledProducts !== order.grandTotal &&
      item("Grand total without controlled products", [], money(order.totalExcludeControlledProducts)),
    item("Weight", [], weight(order.totalWeight)),
  ].filter(Boolean);
}

const unlessZero = (amounts) =>
  amounts
    .filter(([, amount]) => !isZero(amount))
    .map(([name, amount, format, mark]) => item(name, [mark && [mark()]], mark ? stated(format(amount)) : format(amount)));
