// Says in one sentence why an order of a file was not priced: where its JSON is broken, or which fact is wrong.
import { bytesFault, faultSentence } from "./json-fault.js";

/** `facts` are the facts of the file `factsName`. */
export function orderFault(record, error, { factsName, facts }) {
  if (error.code === "INVALID_JSON") {
    const fault = bytesFault(record.bytes);
    return fault ? faultSentence(record, fault, "expected an order as JSON") : `${record.place}: nested more than 128 levels`;
  }
  const wrong = /^Invalid answer from \w+: (.*)$/s.exec(error.message)?.[1];
  const where = wrong && factOf(error.subject, record, facts);
  return where ? `${record.place}: ${factsName}: ${where.path}: ${without(wrong, where.prefix)}` : `${record.place}: ${error.message}`;
}

/** The place of a fact in its file, and what the pricer's message begins with instead. */
function factOf({ lookup, cprcode, branchId, voucherId, schedule } = {}, { bytes }, { prices = {}, rates = {} }) {
  if (lookup === "validateCoupons") return { path: "coupons" };
  if (lookup === "lookupVouchers" && voucherId !== undefined) return { path: inTable("vouchers", voucherId), prefix: voucherId };
  if (lookup === "lookupPrices" && cprcode !== undefined) {
    const key = `${cprcode}/${branchId}`;
    return { path: inTable("prices", Object.hasOwn(prices, key) ? key : `${cprcode}`), prefix: key };
  }
  if (lookup !== "nationwideRate" || schedule === undefined) return undefined;
  const { shippingPostcode, scheduleList } = JSON.parse(`${bytes}`).shipping;
  const mode = scheduleList[schedule].nationwideMode ?? "DRY";
  const key = `${shippingPostcode ?? "10110"}/${mode}`;
  return { path: inTable("rates", Object.hasOwn(rates, key) ? key : mode) };
}

const inTable = (table, key) => `${table}[${JSON.stringify(key)}]`;

const without = (text, prefix) => (prefix !== undefined && text.startsWith(`${prefix}: `) ? text.slice(prefix.length + 2) : text);
