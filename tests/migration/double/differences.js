// What old services do otherwise: the other statement of each point that the specification contests, and the habits of
// other languages and of hurried hands. Each changes exactly what it says.
import { add, decimalText, parseDecimal } from "../../model/decimal.js";
import { amount, double, drop, items, member, objectsOf, put, putTotal } from "./tree.js";

const HALF_A_SATANG = parseDecimal("0.005");
const A_SATANG = parseDecimal("0.01");

/**
 * By name. `decision` is the one that explains the difference, null if none does: then it is a fault, or no difference
 * at all. A difference is one of three: a `policy` of the pricer, an `edit` of the priced order, an `answer` in place of
 * the failure `{ code, error }`. Policies come first, because they price the order anew; `after` names another that one needs.
 */
export const DIFFERENCES = {
  rowTotal: statement("D15", { rowTotal: "list" }, "rowTotal is originalPrice × quantity"),
  subTotal: onRowTotal("D15", { subTotal: "rowTotals" }, "subTotal adds it up"),
  discountedRowTotal: onRowTotal("D16", { discountedRowTotal: "fromRowTotal" }, "discountedRowTotal is what a coupon leaves of it"),
  settlementPrice: statement("D17", { settlementPrice: "rowTotal" }, "settlementPrice is rowTotal, whatever the record says"),
  settlementRecord: statement("D17", { settlementPrice: "record" }, "settlementPrice is the price where the record has none"),
  excludeControlled: onRowTotal("D20", { excludeControlled: "rowTotal" }, "totalExcludeControlledProducts subtracts it"),
  foldedPercentage: statement("D21", { foldedDiscounts: "percentage" }, "cartDiscount has percentageDiscount in it"),
  foldedTwo4: statement("D21", { foldedDiscounts: "two4" }, "cartDiscount has two4Discount in it"),
  folded: statement("D21", { foldedDiscounts: "both" }, "cartDiscount has percentageDiscount and two4Discount in it"),
  freeShipping: statement("D28", { freeShipping: "waivesDelivery" }, "a free-shipping coupon takes off the delivery fee"),
  expressSurcharge: statement("D38", { expressSurcharge: "firstExpress" }, "the first EXPRESS schedule pays 50, wherever it stands"),
  anyExpress: statement("D38", { expressSurcharge: "anyExpress" }, "an order with an EXPRESS schedule pays 50, wherever that stands"),
  keys28: { decision: "D1", edit: (order) => drop(order, "isFreeShipping"), what: "no isFreeShipping: 28 flat keys" },
  floats: { decision: "D19", edit: floats, what: "totals have the noise of doubles" },
  numberFormat: { decision: "D5", edit: numberFormat, what: "whole amounts are written as 100.0" },
  halfSatang: {
    decision: "D19-rounding",
    edit: (order) => addToGrandTotal(order, HALF_A_SATANG),
    what: "grandTotal is half a satang more",
  },
  satang: { decision: null, edit: (order) => addToGrandTotal(order, A_SATANG), what: "grandTotal is a satang more" },
  missingField: { decision: "D3", edit: (order) => drop(member(order, "summary"), "totalWeight"), what: "the summary has no totalWeight" },
  reorderedRows: { decision: "D6", edit: (order) => items(order, "productList").reverse(), what: "productList is turned round" },
  keyOrder: { decision: null, edit: keyOrder, what: "keys are sorted by name; that is no difference" },
  errorTexts: { decision: "D40", answer: errorTexts, what: "failures have texts and statuses of their own" },
};

/** The other statement of a point that the specification contests, as the policy of the pricer that follows it. */
function statement(decision, policy, what) {
  return { decision, policy, what };
}

/** A statement about rowTotal, which shows only where that is originalPrice × quantity. */
function onRowTotal(decision, policy, what) {
  return { ...statement(decision, policy, `rowTotal is originalPrice × quantity, and ${what}`), after: "rowTotal" };
}

const rowsOf = (order) => items(order, "productList");

// Habits of other languages

/** The totals as a service computes them that adds up doubles. An amount that follows another rule stays. */
function floats(order) {
  const rows = rowsOf(order);
  const total = (name) => double(order, name);
  const set = (name, value) => isNoise(value, total(name)) && putTotal(order, name, String(value));
  const sumOf = (list, of) => list.reduce((before, one) => before + of(one), 0);
  const percentages = items(member(order, "discountResult"), "discounts").map((one) => double(one, "percentageDiscount"));

  set(
    "subTotal",
    sumOf(rows, (row) => Math.max(double(row, "price") * double(row, "quantity"), 0)),
  );
  set(
    "totalWeight",
    sumOf(rows, (row) => double(row, "weight") * double(row, "quantity")),
  );
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
