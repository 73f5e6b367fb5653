// Finds every fault of an order. The module reports only the first one (D11). So it reads each part of a faulty order
// alone, in an order that is right but for this part: a part is faulty if the module refuses that order. There are no
// rules here, only what is right at a few places.
import { pathOf } from "../core/index.js";
import { endOf, partsOf } from "../shared/index.js";

const PRODUCT = '{"cprcode":1,"productName":"","quantity":1}';

/**
 * The objects of an order by their place, each with right values for its required keys, in the order of D11.
 * @type {Map<string, Member[]>}
 *
 * @typedef {[name: string, value: string]} Member
 */
const OBJECTS = new Map([
  ["", [["productList", `[${PRODUCT}]`]]],
  [
    "productList[0]",
    [
      ["cprcode", "1"],
      ["productName", '""'],
      ["quantity", "1"],
    ],
  ],
  ["shipping", []],
  ["shipping.scheduleList[0]", []],
]);

/** The lists of an order by their place, each with a right entry. */
const LISTS = new Map([
  ["productList", PRODUCT],
  ["voucherId", '""'],
  ["couponCodeList", '""'],
  ["shipping.scheduleList", "{}"],
]);

const [ORDER_FAULT, SEPARATOR] = ["Invalid order: ", ": "];

/** The codes of a refused order. Any other error is a failure of the check itself. */
const REFUSED = ["INVALID_JSON", "VALIDATION_ERROR", "LIMIT_EXCEEDED"];

/**
 * The refusal that `read` throws; undefined if it throws none.
 * @param {() => void} read
 * @returns {{ code: string, message: string } | undefined}
 */
export function refusalOf(read) {
  try {
    read();
    return undefined;
  } catch (thrown) {
    const error = /** @type {import("../core/error.js").Refusal | undefined} */ (thrown);
    if (error && REFUSED.includes(error.code)) return error;
    throw error;
  }
}

/**
 * Whether a refusal is about a part of an order. Else the text is no JSON, or too large as a whole.
 * @param {{ message: string }} refusal
 */
export const isOfPart = ({ message }) => message.startsWith(ORDER_FAULT);

/**
 * The faults of an order that was refused, in document order: `{ path, keys, message }`, with the keys and indices of
 * the path.
 *
 * @param {string} text JSON text, which may have a `NaN` (D14)
 * @param {(text: string) => void} read throws the refusal of an order
 */
export function faultsIn(text, read) {
  const start = text.search(/[^\s\ufeff]/);
  const search = new Search(read);
  search.find({ before: "", after: "", place: "" }, text.slice(start, endOf(text, start)));
  return search.faults;
}

/**
 * A right order's text before and after one value, and that value's `place` in it.
 * @typedef {{ before: string, after: string, place: string, parent?: Unit, key?: string | number }} Unit
 */

class Search {
  /** @type {{ path: string, keys: (string | number)[], message: string }[]} */
  faults = [];
  #read;

  /** @param {(text: string) => void} read throws the refusal of an order */
  constructor(read) {
    this.#read = read;
  }

  /**
   * Adds the faults of a value. Returns whether it has any.
   * @param {Unit} unit
   * @param {string} value
   */
  find(unit, value) {
    const fault = this.#fault(unit, value);
    if (fault === undefined) return false;
    const { length } = this.faults;
    const [required, entry] = [OBJECTS.get(unit.place), LISTS.get(unit.place)];
    if (value[0] === "{" && required) this.#findInObject(unit, value, required);
    if (value[0] === "[" && entry) this.#findInList(unit, value, entry);
    if (this.faults.length === length) this.#add(unit, fault, fault.within === "" ? undefined : keysOfNaN(value));
    return true;
  }

  #findInObject(unit, value, required) {
    const after = `${["", ...required.map(memberText)]}}${unit.after}`;
    const names = new Set();
    const wrong = new Set();
    for (const { key, value: inner } of partsOf(value)) {
      const name = key.includes("\\") ? JSON.parse(key) : key.slice(1, -1);
      names.add(name);
      // One fault of a repeated key is enough: nobody means to repeat it, and a text may do so 100,000 times.
      if (wrong.has(name)) continue;
      // The right member behind it hides nothing: each occurrence of a key is read (D9).
      const before = `${unit.before}{${key}:`;
      const place = unit.place === "" ? name : `${unit.place}.${name}`;
      if (this.find({ before, after, place, parent: unit, key: name }, inner)) wrong.add(name);
    }
    for (const [name] of required) {
      if (names.has(name)) continue;
      const others = required.filter(([other]) => other !== name);
      const fault = this.#fault(unit, `{${others.map(memberText)}}`);
      if (fault) this.#add(unit, fault, [name]);
    }
  }

  #findInList(unit, value, entry) {
    const entries = partsOf(value);
    const most = this.#most(unit, entry, entries.length);
    const inner = { before: `${unit.before}[`, after: `]${unit.after}`, place: `${unit.place}[0]`, parent: unit };
    // The reader reads no further than the limit (D45).
    entries.slice(0, most).forEach(({ value }, index) => this.find({ ...inner, key: index }, value));
    // The list itself may be too long, or empty.
    if (most < entries.length || most === 0) {
      const fault = this.#fault(unit, listText(entry, Math.min(most + 1, entries.length)));
      if (fault) this.#add(unit, fault);
    }
  }

  /** How many of `count` entries the list may have. */
  #most(unit, entry, count) {
    let most = 0;
    let tooMany = count + 1;
    // Doubles first, so that no text is much longer than the limit asks for.
    while (tooMany - most > 1) {
      const length = Math.min(2 * most || 1, (most + tooMany) >> 1);
      if (this.#fault(unit, listText(entry, length))) tooMany = length;
      else most = length;
    }
    return most;
  }

  /**
   * The fault of a value in its unit; undefined if it is right.
   * @param {Unit} unit
   * @param {string} value
   */
  #fault({ before, after, place }, value) {
    const refusal = refusalOf(() => this.#read(before + value + after));
    if (refusal === undefined) return undefined;
    const said = refusal.message.slice(ORDER_FAULT.length);
    const end = said.lastIndexOf(SEPARATOR);
    const path = said.slice(0, Math.max(end, 0));
    // With `maxProducts: 0` the rest of the unit is wrong, too.
    if (!path.startsWith(place)) return undefined;
    return { within: path.slice(place.length), message: end < 0 ? said : said.slice(end + SEPARATOR.length) };
  }

  /**
   * Adds a fault at the keys `inner` of the unit's value.
   * @param {Unit} unit
   * @param {{ within: string, message: string }} fault
   * @param {(string | number)[]} [inner]
   */
  #add(unit, { within, message }, inner = []) {
    const keys = [];
    for (let outer = unit; outer.parent; outer = outer.parent) keys.unshift(outer.key);
    const path = `${pathOf(keys)}${within}`.replace(/^\./, "");
    this.faults.push({ path, keys: [...keys, ...inner], message });
  }
}

/** @type {(member: Member) => string} */
const memberText = ([name, value]) => `"${name}":${value}`;

/**
 * The keys of the first NaN in a value that is passed on, which has no other fault (D14). Its path does not tell them,
 * because a key may have the path's own signs.
 * @param {string} value
 * @returns {(string | number)[] | undefined}
 */
function keysOfNaN(value) {
  if (value === "NaN") return [];
  if (value[0] !== "{" && value[0] !== "[") return undefined;
  for (const [index, { key, value: inner }] of partsOf(value).entries()) {
    const keys = keysOfNaN(inner);
    if (keys) return [key === undefined ? index : JSON.parse(key), ...keys];
  }
  return undefined;
}

const listText = (entry, length) => `[${Array(length).fill(entry)}]`;
