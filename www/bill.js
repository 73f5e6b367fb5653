import { element, spoken } from "./dom.js";
import { count, dateTime, exact, money, off, percent, weight } from "./format.js";

const MODES = {
  REGULAR: "Regular delivery",
  EXPRESS: "Express delivery",
  NATIONWIDE: "Nationwide parcel",
  PICKUP: "Pickup at the branch",
};
const PARCELS = { DRY: "dry", FRESH: "fresh", MIX: "dry and fresh" };
const REASONS = { inactive: "not active", used: "used already", ownerMismatch: "not this customer’s" };

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
    section("Total", totalRows(order)),
    section("For information", informationRows(order)),
  );
}

/**
 * Why there is no bill.
 * @param {import("./pricing.js").Answer} answer
 */
export function renderFailure({ text, failure: { message, code, path, status } }) {
  const isAnswer = text !== undefined;
  const facts = [["Code", code], ["Path", path], ["Status", status && `HTTP ${status}`]].filter(([, value]) => value);
  return element(
    "div",
    { class: isAnswer ? "failure bad" : "failure" },
    element("h3", {}, isAnswer ? "This order has no price" : "No answer"),
    element("p", {}, message),
    element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
  );
}

function captionOf({ branchId, orderId, ownerId }, branches) {
  const branch = [`Branch ${branchId}`, branches.get(branchId)].filter(Boolean).join(", ");
  return [branch, orderId, ownerId && `customer ${ownerId}`].filter(Boolean).join(" · ");
}

// Sections of rows: an item, notes on it, and its amount

function section(title, rows) {
  if (rows.length === 0) return undefined;
  return element("tbody", {}, row(element("th", { scope: "rowgroup", colspan: "2" }, title)), ...rows);
}

const row = (...cells) => element("tr", {}, ...cells);
const column = (name) => element("th", { scope: "col" }, name);

function item(name, notes, amount) {
  const lines = notes.filter(Boolean).map((note) => element("span", { class: "note" }, ...[note].flat()));
  return row(element("th", { scope: "row" }, name, ...lines), element("td", {}, amount));
}

/** A name and what marks it. */
const marked = (name, ...marks) => element("span", {}, name, ...marks.filter(Boolean).flatMap((mark) => [" ", tag(mark)]));
const tag = (text) => element("span", { class: "tag" }, text);
const thai = (text) => element("span", { lang: "th" }, text);
const isZero = (amount) => Number(amount) === 0;

/** An amount that is told, and is not added up. */
const told = (amount) => element("span", { class: "told" }, amount);
const NOT_SUBTRACTED = "Not subtracted"; // rule 10

// Products and delivery

function productRows({ productList, shipping }) {
  const hasSlots = shipping?.scheduleList.length > 1;
  return productList.map((product) => {
    const { productName, quantity, price, remark, scheduleId, rowTotal, discountedRowTotal } = product;
    return item(
      marked(thai(productName), product.isControlledProduct && "Controlled product", product.isPreOrder && "Pre-order"),
      [
        [`${count(quantity)} × ${money(price)}`, ...listPrice(product), hasSlots ? ` · slot ${scheduleId}` : ""],
        discountedRowTotal !== rowTotal && `${money(discountedRowTotal)} after coupons for this product`,
        remark && thai(remark),
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
  if (scheduleList.length === 0) {
    return [item(shippingType === "PICKUP" ? MODES.PICKUP : "No delivery slot", [], money("0"))];
  }
  return scheduleList.flatMap((schedule) => scheduleRows(schedule, shippingType, scheduleList.length > 1));
}

function scheduleRows({ scheduleId, mode, nationwideMode, nationwideConfig, ...schedule }, shippingType, isOneOfMany) {
  const isPickedUp = shippingType === "PICKUP"; // D33: whatever the slot says
  const isNationwide = mode === "NATIONWIDE" && !isPickedUp;
  const name = isPickedUp ? MODES.PICKUP : MODES[mode];
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
  return [
    ...discounts.flatMap((discount) => discountRows(discount, promises)),
    ...failedCoupons.map((code) => item(marked(refused(code), "Not accepted"), [promises.get(code)], told("—"))),
    Object.keys(error).length > 0 && item("Error of the coupon service", [JSON.stringify(error)], ""),
  ].filter(Boolean);
}

function discountRows(discount, promises) {
  const { coupon, shippingDiscount, freeshipping } = discount;
  const rows = [
    ["Off the order", discount.discount, off],
    ["Buy one, get one", discount.bogoDiscount, off],
    [freeshipping ? "Free delivery" : "Off delivery", shippingDiscount, off],
    ["Two for one price", discount.two4Discount, money, NOT_SUBTRACTED],
    ["Percentage", discount.percentageDiscount, percent, NOT_SUBTRACTED],
  ].filter(([, amount]) => !isZero(amount));
  // D28: free delivery without an amount leaves the fee as it is.
  if (freeshipping && isZero(shippingDiscount)) rows.push(["Free delivery, without an amount", "0", money]);
  if (rows.length === 0) rows.push(["Nothing off", "0", money]);
  return rows.map(([kind, amount, format, mark]) =>
    item(marked(coupon, mark), [promises.get(coupon) ?? kind], mark ? told(format(amount)) : format(amount)),
  );
}

function voucherRows({ validVouchers, invalidVouchers }) {
  const valid = validVouchers.map(({ voucherId, title, value }) => item(voucherId, [title], off(value)));
  const invalid = invalidVouchers.map(({ voucherId, title, value, reasons }) => {
    const why = reasons.map((reason) => REASONS[reason]).join(", ");
    return item(marked(refused(voucherId), "Not valid"), [[title, why].filter(Boolean).join(" · ")], told(money(value)));
  });
  return [...valid, ...invalid];
}

const refused = (code) => element("s", {}, code);

// Totals: what is added up, and what is only told

function totalRows(order) {
  const { subTotal, deliveryFee, discountedDeliveryFee, expressShippingCost } = order;
  const lowered = discountedDeliveryFee !== deliveryFee && `${money(deliveryFee)} less ${money(order.shippingDiscount)}`;
  const grand = item("Grand total", [isFloored(order) && "A total is never below zero"], money(order.grandTotal));
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

/** Whether more is taken off than there is. */
function isFloored({ subTotal, discountedDeliveryFee, expressShippingCost, ...order }) {
  const charged = exact(subTotal) + exact(discountedDeliveryFee) + exact(expressShippingCost);
  return charged < exact(order.cartDiscount) + exact(order.bogoDiscount) + exact(order.voucherDiscount);
}

function informationRows(order) {
  return [
    ...unlessZero([
      ["Two for one price", order.two4Discount, money, NOT_SUBTRACTED],
      ["Percentage discount", order.percentageDiscount, money, NOT_SUBTRACTED],
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
    .map(([name, amount, format, mark]) => item(marked(name, mark), [], mark ? told(format(amount)) : format(amount)));
