import { Failure } from "./failure.js";
import { jsonParts } from "./json-parts.js";

/** Each a table of records by key. */
const TABLES = ["prices", "vouchers", "rates"];
const NAMES = [...TABLES, "coupons", "deliveryZones"];

/** `Facts` of order-cost/testing, and `deliveryZones`: each record as its text, so that its numbers stay exact. */
export function readFacts(name, text) {
  const facts = { prices: {} };
  for (const [key, value] of parts(text, `${name}: `)) {
    if (!NAMES.includes(key)) throw new Failure(`${name}: ${key}: unknown; facts are ${NAMES.join(", ")}`);
    if (value === "null") continue;
    facts[key] = TABLES.includes(key) ? table(value, `${name}: ${key}: `) : recordText(value);
  }
  return facts;
}

/** Without a prototype: a voucher may be called `__proto__`. */
function table(text, place) {
  const records = parts(text, place).map(([key, record]) => [key, recordText(record)]);
  return Object.assign(Object.create(null), Object.fromEntries(records));
}

/** A string is a record's text already, as key-value stores have it. */
function recordText(text) {
  return text.startsWith('"') ? JSON.parse(text) : text;
}

function parts(text, place) {
  try {
    if (!Array.isArray(JSON.parse(text))) {
      const found = jsonParts(text);
      if (found) return found;
    }
  } catch (error) {
    throw new Failure(`${place}expected JSON: ${error.message}`);
  }
  throw new Failure(`${place}expected an object`);
}
