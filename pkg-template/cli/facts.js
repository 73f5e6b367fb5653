import { Failure } from "./failure.js";
import { jsonParts } from "./json-parts.js";

/** The facts that are tables of records by key. */
const TABLES = ["prices", "vouchers", "rates"];
const NAMES = [...TABLES, "coupons", "deliveryZones"];

/** Reads the `Facts` of order-cost/testing and `deliveryZones`. Records stay text, so that their numbers stay exact. */
export function readFacts(name, text) {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Failure(`${name}: expected JSON: ${error.message}`);
  }
  const facts = { prices: {} };
  for (const [key, value] of members(text, `${name}: `)) {
    if (!NAMES.includes(key)) throw new Failure(`${name}: ${key}: unknown; facts are ${NAMES.join(", ")}`);
    if (value === "null") continue;
    facts[key] = TABLES.includes(key) ? table(value, `${name}: ${key}: `) : recordText(value);
  }
  return facts;
}

function table(text, place) {
  const records = Object.create(null); // A voucher id may be `__proto__`.
  for (const [key, record] of members(text, place)) records[key] = recordText(record);
  return records;
}

/** The JSON text of a record. A string already holds that text, as in key-value stores. */
function recordText(text) {
  return text.startsWith('"') ? JSON.parse(text) : text;
}

function members(text, place) {
  if (!/^\s*\{/.test(text)) throw new Failure(`${place}expected an object`);
  return jsonParts(text);
}
