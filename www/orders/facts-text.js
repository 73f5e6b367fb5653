import { entriesOf, partsOf } from "order-cost/internal";

/**
 * The facts with each record as its text, so that every number keeps its digits.
 * @param {string} text
 * @returns {Record<"prices" | "vouchers" | "rates", Record<string, string>> & Pick<import("order-cost").Facts, "coupons">}
 */
export function factsIn(text) {
  const { coupons = "null", ...tables } = Object.fromEntries(entriesOf(text));
  const facts = { prices: tableOf(tables.prices), vouchers: tableOf(tables.vouchers), rates: tableOf(tables.rates) };
  return coupons === "null"
    ? facts
    : { ...facts, coupons: coupons.startsWith("[") ? partsOf(coupons).map(couponAnswer) : recordOf(coupons) };
}

const tableOf = (text = "{}") => Object.fromEntries(entriesOf(text).map(([key, record]) => [key, recordOf(record)]));

function couponAnswer({ value }) {
  const { request = "null", answer } = Object.fromEntries(entriesOf(value));
  return { request: JSON.parse(request) ?? undefined, answer: recordOf(answer) };
}

/** A string already holds the text of a record. */
const recordOf = (text) => (text.startsWith('"') ? JSON.parse(text) : text);
