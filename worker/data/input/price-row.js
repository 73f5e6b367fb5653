// A row of a price file: its key, and the record that the store keeps.
import { checkPrice } from "order-cost/data";
import { DEFAULTS, decimal, decimalText, FIELDS } from "order-cost/internal";
import { KEY_COLUMNS, RECORD_COLUMNS } from "./columns.js";
import { isVisible, quoted } from "./names.js";

/** The columns of a file of keys, and of a file of prices. */
export const keyColumns = KEY_COLUMNS.map((name) => ({ name, isRequired: true, isFlag: false }));
export const priceColumns = [
  ...keyColumns,
  ...Object.entries(FIELDS.Price.read).map(([name, { kind, required = false }]) => ({
    name,
    isRequired: required,
    isFlag: kind === "flag",
  })),
];

const isFalseByDefault = RECORD_COLUMNS.map((name) => DEFAULTS.Price[name] === false);

/** @typedef {import("./rows.js").Values} Values in the order of the columns, as JSON texts */

/**
 * The key of a row, as far as it has one, and what is wrong with it.
 * @param {Values} values
 * @param {string[]} [allowed] branches that may look as if a spreadsheet had changed them
 * @returns {{ cprcode?: number, branchId?: string, faults: string[] }}
 */
export function keyOf([cprcodeText = "", branchText], allowed = []) {
  const cprcode = /^(?:-?[1-9]\d{0,15}|0)$/.test(cprcodeText) ? Number(cprcodeText) : NaN;
  const isCode = Number.isSafeInteger(cprcode);
  const branchId = branchOf(branchText);
  const faults = [];
  if (!isCode) faults.push(fault("cprcode", "an integer of at most 16 digits, without leading zeros", cprcodeText));
  if (branchId === undefined)
    faults.push(fault("branchId", "a text of 1 to 128 characters in UTF-8, without white space around it", branchText));
  else if (isTouched(branchId) && !allowed.includes(branchId))
    faults.push(`${fault("branchId", "a branch as the orders name it", JSON.stringify(branchId))}; --allow-branch takes it as it is`);
  return { ...(isCode && { cprcode }), branchId, faults };
}

/**
 * In CSV a branch may look like a number.
 * @param {string | undefined} text
 */
function branchOf(text) {
  if (text === undefined || /^[[{]/.test(text)) return undefined;
  const branchId = text.startsWith('"') ? JSON.parse(text) : text;
  const isOne = /^(?!\s)[^\p{Cc}\ufffd]+(?<!\s)$/u.test(branchId) && branchId.length <= MOST_BRANCH_UNITS && branchId.isWellFormed();
  return isOne ? branchId : undefined;
}

/** What spreadsheets make of a number, and how they mark a text or an error. */
const TOUCHED = /^(?:-?\d+\.0+|-?\d+(?:\.\d+)?E[+-]\d+|#(?:N\/A|DIV\/0!|GETTING_DATA|[A-Z_]+[!?]|#+))$|^[=']/i;

/**
 * Whether a spreadsheet or a copy has changed a branch: it would be another one beside the right one.
 * @param {string} branchId
 */
const isTouched = (branchId) => TOUCHED.test(branchId) || !isVisible(branchId);

/** D45: an order cannot name a longer branch. */
const MOST_BRANCH_UNITS = 128;

/**
 * The record of a row as JSON text, and what is wrong with it.
 * @param {Values} values
 * @returns {{ record: string, faults: string[] }}
 */
export function recordOf([, , ...values]) {
  const record = jsonOf(values);
  const long = values.findIndex((value = "") => value.length > MOST_VALUE_CHARACTERS);
  const found = long < 0 ? checkPrice(record) : [{ column: RECORD_COLUMNS[long], expected: "a shorter value" }];
  const faults = found.map(({ column, expected }) => fault(column, expected, values[RECORD_COLUMNS.indexOf(column)]));
  return { record, faults };
}

/**
 * Whether the values look like those of a row, which may have faults of its own.
 * @param {Values} values
 */
export const isRow = (values) => keyOf(values).cprcode !== undefined;

/**
 * The price of a record, in its own digits: it stands first.
 * @param {string} record
 */
export const priceOf = (record) => /** @type {RegExpExecArray} */ (/^\{"price":([^,}]+)/.exec(record))[1];

/** No price has as many digits. Checked first, so that no row is longer than the sorter can hold. */
const MOST_VALUE_CHARACTERS = 200;

/**
 * Equal records have equal texts: the same price must not look changed because it was written as 12.50 or 1.25e1. A flag
 * that is false by default is left out.
 * @param {Values} values
 */
function jsonOf(values) {
  const members = [];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value === undefined || (value === "false" && isFalseByDefault[index])) continue;
    members.push(`"${RECORD_COLUMNS[index]}":${/[.eE]|^-0/.test(value) ? plainly(value) : value}`);
  }
  return `{${members.join(",")}}`;
}

/**
 * A number in plain digits, without zeros at the end of its decimals; any other text as it is.
 * @param {string} json
 */
function plainly(json) {
  if (!/^-?\d/.test(json)) return json;
  const number = decimal(json);
  const text = number && decimalText(number);
  return text === undefined || text.length > MOST_VALUE_CHARACTERS ? json : text;
}

/**
 * @param {string} column
 * @param {string} expected
 * @param {string} [json] what there is
 */
function fault(column, expected, json = "") {
  const shown = quoted(json.startsWith('"') ? JSON.parse(json) : json);
  return `${column}: expected ${expected}, got ${shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…"` : shown}`;
}

/** A fault is one line to read. */
const MOST_SHOWN = 80;
