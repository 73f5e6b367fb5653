import { LOOK_UPS } from "../../order-fields.js";
import { FACT_TABLES, keyFault } from "../../pricer/index.js";
import { entriesOf, partsOf } from "../../shared/index.js";
import { Failure } from "./failure.js";
import { faultSentence, jsonFault } from "./json-fault.js";

/** In the sequence of the sentence that names them. */
const NAMES = [...new Set(["prices", "vouchers", ...Object.values(LOOK_UPS).map(({ part }) => part), "deliveryZones"])];

/**
 * Facts whose records are text, so that their numbers stay exact.
 *
 * @typedef {object} TextFacts
 * @property {Record<string, string | null>} prices
 * @property {Record<string, string | null>} [vouchers]
 * @property {Record<string, string | null>} [rates]
 * @property {string | { request?: import("order-cost").CouponRequest, answer: string }[]} [coupons]
 */

/**
 * Reads the `Facts` of order-cost/testing and `deliveryZones`.
 * @param {string | undefined} name of the file, for messages
 * @param {string} text
 */
export function readFacts(name, text) {
  const fault = jsonFault(text);
  if (fault) throw new Failure(faultSentence({ name }, fault, "expected JSON"));
  return readFactsText(text, `${name}: `);
}

/**
 * The same of a text that is JSON. `place` begins the sentence of a fault.
 * @param {string} text
 * @param {string} place
 * @returns {TextFacts & { deliveryZones?: string }}
 */
export function readFactsText(text, place) {
  /** @type {ReturnType<typeof readFactsText>} */
  const facts = { prices: {} };
  for (const [key, value] of members(text, place)) {
    if (!NAMES.includes(key)) throw new Failure(`${place}${key}: unknown; facts are ${NAMES.join(", ")}`);
    if (value === "null") continue;
    facts[key] = FACT_TABLES.includes(key)
      ? table(value, `${place}${key}: `, key)
      : key === "coupons"
        ? coupons(value, `${place}${key}: `)
        : recordText(value);
  }
  return facts;
}

/** One answer to every request, or a list of `{request, answer}`. */
function coupons(text, place) {
  if (!text.startsWith("[")) return recordText(text);
  return partsOf(text).map(({ value }, index) => {
    const { request, answer } = Object.fromEntries(members(value, `${place}[${index}]: `));
    if (answer === undefined) throw new Failure(`${place}[${index}]: expected {"request", "answer"}`);
    return { request: request && JSON.parse(request), answer: recordText(answer) };
  });
}

function table(text, place, name) {
  const records = Object.create(null); // A voucher id may be `__proto__`.
  for (const [key, record] of members(text, place)) {
    const fault = keyFault(name, key);
    if (fault) throw new Failure(`${place}${JSON.stringify(key)}: ${fault}`);
    records[key] = recordText(record);
  }
  return records;
}

/** The JSON text of a record. A string already holds that text, as in key-value stores. */
function recordText(text) {
  return text.startsWith('"') ? JSON.parse(text) : text;
}

function members(text, place) {
  if (!/^\s*\{/.test(text)) throw new Failure(`${place}expected an object`);
  return entriesOf(text);
}
