// What each field of an order, of its facts and of an answer is: made of its class in the sources. A field is
//   "plain"                       shown: an amount, a code, a flag; text in its place is not
//   "text"                        free text
//   "id", "branch", "postcode"    an id that somebody chose
//   "hour"                        of the day: another number in its place is not shown
//   "latitude", "longitude"       where somebody lives
//   "anything"                    any JSON
//   "error"                       why an order failed
//   ["one of", "these"]           shown; other text in its place is not
//   { list: field }               a list of that
//   { table: fields }             an object of these fields
import { FIELDS, WORDS } from "order-cost/internal";

/** @typedef {string | string[] | { list: Field } | { table: Record<string, Field> }} Field */

/**
 * What stands in a list, and in an object. Nothing for any other field.
 * @param {Field | undefined} field
 * @returns {{ list?: Field, table?: Record<string, Field> }}
 */
export const partsOf = (field) => (typeof field === "object" && !Array.isArray(field) ? field : {});

const list = (field) => ({ list: field });
const table = (fields) => ({ table: fields });

export const VOUCHER = table({ ...fieldsOf("Voucher", "read"), reasons: list(["inactive", "used", "ownerMismatch"]) });

export const ORDER = table(fieldsOf("Order", "read"));
export const PRICE = table(fieldsOf("Price", "read"));
export const RATE = table(fieldsOf("Rate", "read"));
export const COUPONS = table(fieldsOf("DiscountResult", "read"));

const RESPONSE = fieldsOf("Order", "response");
const isTotal = ([name, field]) => field === "plain" && !Object.hasOwn(FIELDS.Order.read, name);
/** An old service may repeat any total. */
const SUMMARY = { ...Object.fromEntries(Object.entries(RESPONSE).filter(isTotal)), ...fieldsOf("Summary", "response") };

export const ANSWER = table({ ...RESPONSE, summary: table(SUMMARY), error: "error" });

/**
 * The fields of an object.
 * @param {string} name
 * @param {"read" | "response"} side
 * @returns {Record<string, Field>}
 */
function fieldsOf(name, side) {
  return Object.fromEntries(Object.entries(FIELDS[name][side]).map(([key, field]) => [key, fieldOf(field, side)]));
}

function fieldOf({ kind, class: ofPerson, of }, side) {
  if (ofPerson !== "nested") return kind === "word" ? WORDS[of] : kind === "strings" ? list(ofPerson) : ofPerson;
  const held = of === "Voucher" ? VOUCHER : table(fieldsOf(of, side));
  return kind === "objects" ? list(held) : held;
}
