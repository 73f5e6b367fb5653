import { partsOf } from "./json.js";

/**
 * The facts with each record as its text, so that every number keeps its digits.
 * @param {string} text
 * @returns {Record<"prices" | "vouchers" | "rates", Record<string, string>> & Pick<import("order-cost").Facts, "coupons">}
 */
export function factsIn(text) {
  const { coupons = "null", ...tables } = Object.fromEntries(partsOf(text));
  const facts = { prices: tableOf(tables.prices), vouchers: tableOf(tables.vouchers), rates: tableOf(tables.rates) };
  return coupons === "null"
    ? facts
    : { ...facts, coupons: coupons.startsWith("[") ? partsOf(coupons).map(couponAnswer) : recordOf(coupons) };
}

const tableOf = (text = "{}") => Object.fromEntries(partsOf(text).map(([key, record]) => [key, recordOf(record)]));

/** @param {[string, string]} part */
function couponAnswer([, text]) {
  const { request = "null", answer } = Object.fromEntries(partsOf(text));
  return { request: JSON.parse(request) ?? undefined, answer: recordOf(answer) };
}

/** A string already holds the text of a record. */
const recordOf = (text) => (text.startsWith('"') ? JSON.parse(text) : text);
