// What old services do otherwise: the other statement of each point that the specification contests, and the habits of
// other languages and of hurried hands. Each changes exactly what it says.
import { ZERO, add, decimalText, integer, max, multiply, parseDecimal, roundToFit, subtract, sum } from "../../model/decimal.js";
import { amount, double, drop, isTrue, items, member, objectsOf, put, putAmount, putTotal } from "./tree.js";

const HALF_A_SATANG = parseDecimal("0.005");
const A_SATANG = parseDecimal("0.01");

/**
 * By name. `decision` is the one that explains the difference, null if none does: then it is a fault, or no difference
 * at all. A difference is one of three: a `policy` of the pricer, an `edit` of the priced order, an `answer` in place of
 * the failure `{ code, error }`. Policies come first, because they price the order anew.
 */
export const DIFFERENCES = {
  rowTotal: { decision: "D15", policy: { rowTotal: "list" }, what: "rowTotal is originalPrice × quantity" },
  expressSurcharge: { decision: "D38", policy: { expressSurcharge: "firstExpress" }, what: "the first EXPRESS schedule pays 50, wherever it stands" },
  freeShipping: { decision: "D28", policy: { freeShipping: "waivesDelivery" }, what: "a free-shipping coupon takes off the delivery fee" },
  subTotal: { decision: "D15", edit: subTotal, what: "subTotal adds up originalPrice × quantity, and the totals follow" },
  discountedRowTotal: { decision: "D16", edit: discountedRowTotal, what: "discountedRowTotal is price × quantity, whatever a coupon takes off" },
  settlementPrice: { decision: "D17", edit: settlementPrice, what: "settlementPrice is rowTotal, whatever the record says" },
  keys28: { decision: "D1", edit: (order) => drop(order, "isFreeShipping"), what: "no isFreeShipping: 28 flat keys" },
  floats: { decision: "D19", edit: floats, what: "totals have the noise of doubles" },
  numberFormat: { decision: "D5", edit: numberFormat, what: "whole amounts are written as 100.0" },
  halfSatang: { decision: "D19", edit: (order) => addToGrandTotal(order, HALF_A_SATANG), what: "grandTotal is half a satang more" },
  satang: { decision: null, edit: (order) => addToGrandTotal(order, A_SATANG), what: "grandTotal is a satang more" },
  missingField: { decision: "D3", edit: (order) => drop(member(order, "summary"), "totalWeight"), what: "the summary has no totalWeight" },
  reorderedRows: { decision: "D6", edit: (order) => items(order, "productList").reverse(), what: "productList is turned round" },
  keyOrder: { decision: null, edit: keyOrder, what: "keys are sorted by name; that is no difference" },
  errorTexts: { decision: "D40", answer: errorTexts, what: "failures have texts and statuses of their own" },
};

const floor = (value) => max(value, ZERO);
const rowsOf = (order) => items(order, "productList");
const product = (a, b) => roundToFit(multiply(a, b));

// The other statement of a contested point

function subTotal(order) {
  const listed = rowsOf(order).map((row) => floor(product(amount(row, "originalPrice"), amount(row, "quantity"))));
  const largest = items(member(order, "discountResult"), "discounts").map((one) => amount(one, "percentageDiscount")).reduce(max, ZERO);
  const total = (name) => amount(order, name);
  const set = (name, value) => putTotal(order, name, decimalText(value));

  set("subTotal", sum(listed));
  set("percentageDiscount", product(largest, total("subTotal")));
  const discounts = ["cartDiscount", "bogoDiscount", "two4Discount", "voucherDiscount", "percentageDiscount"];
  set("totalDiscount", sum(discounts.map(total)));
  const charges = sum(["subTotal", "discountedDeliveryFee", "expressShippingCost"].map(total));
  const reductions = sum(["cartDiscount", "bogoDiscount", "voucherDiscount"].map(total));
  set("grandTotal", floor(subtract(charges, reductions)));
  const controlled = rowsOf(order).filter((row) => isTrue(row, "isControlledProduct"));
  set("totalExcludeControlledProducts", subtract(total("grandTotal"), sum(controlled.map((row) => amount(row, "rowTotal")))));
}

function discountedRowTotal(order) {
  for (const row of rowsOf(order)) putAmount(row, "discountedRowTotal", floor(product(amount(row, "price"), amount(row, "quantity"))));
}

function settlementPrice(order) {
  for (const row of rowsOf(order)) putAmount(row, "settlementPrice", amount(row, "rowTotal"));
}

// Habits of other languages

/** The totals as a service computes them that adds up doubles. An amount that follows another rule stays. */
function floats(order) {
  const rows = rowsOf(order);
  const total = (name) => double(order, name);
  const set = (name, value) => isNoise(value, total(name)) && putTotal(order, name, String(value));
  const sumOf = (list, of) => list.reduce((before, one) => before + of(one), 0);
  const percentages = items(member(order, "discountResult"), "discounts").map((one) => double(one, "percentageDiscount"));

  set("subTotal", sumOf(rows, (row) => Math.max(double(row, "price") * double(row, "quantity"), 0)));
  set("totalWeight", sumOf(rows, (row) => double(row, "weight") * double(row, "quantity")));
  set("percentageDiscount", Math.max(0, ...percentages) * total("subTotal"));
  set("totalDiscount", sumOf(["cartDiscount", "bogoDiscount", "two4Discount", "voucherDiscount", "percentageDiscount"], total));
  const charges = sumOf(["subTotal", "discountedDeliveryFee", "expressShippingCost"], total);
  set("grandTotal", Math.max(charges - total("cartDiscount") - total("bogoDiscount") - total("voucherDiscount"), 0));
}

/** Whether two doubles are the same amount, apart from their last digits. */
const isNoise = (a, b) => a !== b && Math.abs(a - b) < 0.001 && Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(b), 1);

const AMOUNTS =
  /^(subTotal|grandTotal|total.*|deliveryFee|discountedDeliveryFee|express.*|shipping(Fee|Price|Discount)|(cart|bogo|two4|percentage|voucher)?[dD]iscount|bogoDiscount|originalPrice|price|rowTotal|discountedRowTotal|settlementPrice|weight)$/;

function numberFormat(order) {
  for (const object of objectsOf(order)) {
    for (const { name, value } of object.members) {
      if (value.type === "number" && AMOUNTS.test(name) && /^-?\d+$/.test(value.raw)) put(object, name, `${value.raw}.0`);
    }
  }
}

function keyOrder(order) {
  for (const object of objectsOf(order)) object.members.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

// Faults

function addToGrandTotal(order, more) {
  putTotal(order, "grandTotal", decimalText(add(amount(order, "grandTotal"), more)));
}

const TEXTS = {
  INVALID_JSON: [400, () => "Unexpected token in JSON"],
  VALIDATION_ERROR: [422, (error) => `Bad request. ${error}`],
  LIMIT_EXCEEDED: [422, (error) => `Bad request. ${error}`],
  PRODUCT_PRICE_NOT_FOUND: [404, (error) => `${error.replace("No price for", "Price missing:")}.`],
  VOUCHER_NOT_FOUND: [404, (error) => `${error.replace(/^Voucher (.*) not found$/s, "Unknown voucher $1")}.`],
  NATIONWIDE_RATE_NOT_FOUND: [404, (error) => `${error.replace("No nationwide rate for", "No delivery to")}.`],
  BRANCH_NOT_AVAILABLE: [400, (error) => `${error}.`],
  BRANCH_NOT_IN_POLYGON: [400, (error) => `${error}.`],
};

function errorTexts({ code, error }) {
  const [status, text] = TEXTS[code] ?? [502, () => `Downstream failure: ${error}`];
  return { status, error: text(error) };
}
