// D49: an order of other types, as the package reads it. Its capture is a strict order, which is priced the same.
import { numberText, numberValue, stringText, stringValue, typeOf } from "order-cost/internal";
import { membersOf, objectOf } from "./exact.js";
import { partsOf } from "./tables.js";

const NUMBERS = ["plain", "hour", "latitude", "longitude"];
/** @type {(import("./tables.js").Field | undefined)[]} */
const TEXTS = ["text", "id", "branch", "postcode"];
const FLAGS = { true: true, false: false };

/**
 * @param {import("./exact.js").Value} value
 * @param {import("./tables.js").Field | undefined} field
 * @returns {import("./exact.js").Value}
 */
export function asRead(value, field) {
  const type = typeOf(value);
  if (Array.isArray(value)) return value.map((item) => asRead(item, partsOf(field).list));
  if (type === "object") return objectOf(membersOf(value).map(([name, inner]) => [name, asRead(inner, fieldOf(field, name))]));
  if (type === "number" && TEXTS.includes(field)) return stringValue(numberText(value));
  return type === "string" ? ofText(value, stringText(value), field) : value;
}

function fieldOf(field, name) {
  const { table } = partsOf(field);
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

function ofText(value, text, field) {
  if (Array.isArray(field)) return field.includes(upperCase(text)) ? stringValue(upperCase(text)) : value;
  if (!NUMBERS.includes(field)) return value;
  if (Object.hasOwn(FLAGS, text)) return FLAGS[text];
  return isNumber(text) ? numberValue(text) : value;
}

/** No letter of another alphabet becomes one of these. */
const upperCase = (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

const isNumber = (text) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
