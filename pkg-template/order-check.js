// Finds every fault of an order. The module reports only the first one (D11). So it reads each part of a faulty order
// alone, in an order that is right but for this part: a part is faulty if the module refuses that. There are no rules
// here, only what is right at a few places.
import { endOf, partsOf } from "./json-parts.js";

const PRODUCT = '{"cprcode":1,"productName":"","quantity":1}';

/** Right values for the required keys of an object, by the object's place in an order; in the order of D11. */
const REQUIRED = new Map([
  ["", [["productList", `[${PRODUCT}]`]]],
  ["productList[0]", [["cprcode", "1"], ["productName", '""'], ["quantity", "1"]]],
]);

/** A right entry for each list with a limit, by its place. */
const ENTRIES = new Map([
  ["productList", PRODUCT],
  ["voucherId", '""'],
  ["couponCodeList", '""'],
  ["shipping.scheduleList", "{}"],
]);

const [ORDER_FAULT, SEPARATOR] = ["Invalid order: ", ": "];

/** The codes of a refused order. Any other error is a failure of the check itself. */
const REFUSED = ["INVALID_JSON", "VALIDATION_ERROR", "LIMIT_EXCEEDED"];

/** The refusal that `read` throws; undefined if it throws none. */
export function refusalOf(read) {
  try {
    read();
    return undefined;
  } catch (error) {
    if (REFUSED.includes(error?.code)) return error;
    throw error;
  }
}

/** Whether a refusal is about a part of an order. Else the text is no JSON, or too large as a whole. */
export const isOfPart = ({ message }) => message.startsWith(ORDER_FAULT);

/**
 * The faults of an order that was refused, in document order: `{ keys, message }`, with the keys and indices that lead to
 * each.
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

/** A `unit` is the text of a right order before and after one value, and the value's place in it. */
class Search {
  faults = [];
  #read;

  constructor(read) {
    this.#read = read;
  }

  find(unit, value) {
    const refusal = this.#refusal(unit, value);
    if (!refusal) return;
    const found = this.faults.length;
    if (value[0] === "{") this.#findInObject(unit, value);
    if (value[0] === "[") this.#findInList(unit, value);
    if (this.faults.length === found) this.#add(unit, refusal);
  }

  #findInObject(unit, value) {
    const required = REQUIRED.get(unit.place) ?? [];
    const right = required.map(memberText);
    // No object would be right here.
    if (this.#refusal(unit, `{${right}}`)) return;
    const after = ["", ...right].join(",") + `}${unit.after}`;
    const names = new Set();
    for (const { key, value: inner } of partsOf(value)) {
      const name = key.includes("\\") ? JSON.parse(key) : key.slice(1, -1);
      names.add(name);
      // Of a repeated key each occurrence is read (D9), so that the right member behind it hides nothing.
      const before = `${unit.before}{${key}:`;
      const place = unit.place === "" ? name : `${unit.place}.${name}`;
      this.find({ before, after, place, parent: unit, key: name }, inner);
    }
    for (const [name] of required) {
      if (names.has(name)) continue;
      const others = required.filter(([other]) => other !== name).map(memberText);
      const refusal = this.#refusal(unit, `{${others}}`);
      if (refusal) this.#add({ parent: unit, key: name }, refusal);
    }
  }

  #findInList(unit, value) {
    const entry = ENTRIES.get(unit.place);
    // No list would be right here.
    if (this.#refusal(unit, `[${entry ?? 0}]`)) return;
    const entries = partsOf(value);
    const most = entry === undefined ? entries.length : this.#most(unit, entry, entries.length);
    const inner = { before: `${unit.before}[`, after: `]${unit.after}`, place: `${unit.place}[0]`, parent: unit };
    // The reader reads no further than the limit (D45).
    entries.slice(0, most).forEach((item, index) => this.find({ ...inner, key: index }, item.value));
    // One entry too many, or the list is empty and may not be.
    const length = Math.min(most + 1, entries.length);
    const refusal = length > most || length === 0 ? this.#refusal(unit, listText(entry ?? 0, length)) : undefined;
    if (refusal) this.#add(unit, refusal);
  }

  /** How many entries a list may have, at most `count`. One is right. */
  #most(unit, entry, count) {
    const isRight = (length) => !this.#refusal(unit, listText(entry, length));
    let most = Math.min(1, count);
    let tooMany = count + 1;
    // Doubles first: no text becomes much longer than the limit asks for.
    while (tooMany - most > 1) {
      const next = Math.min(2 * most, (most + tooMany) >> 1);
      if (isRight(next)) most = next;
      else tooMany = next;
    }
    return most;
  }

  #refusal({ before, after }, value) {
    return refusalOf(() => this.#read(before + value + after));
  }

  #add(unit, refusal) {
    const keys = [];
    for (let inner = unit; inner.parent; inner = inner.parent) keys.unshift(inner.key);
    // What is wrong with the whole keeps its path: with `maxProducts: 0` no order is right.
    const sentence = unit.parent ? refusal.message.split(SEPARATOR).at(-1) : refusal.message.slice(ORDER_FAULT.length);
    this.faults.push({ keys, message: sentence });
  }
}

const memberText = ([name, value]) => `"${name}":${value}`;

const listText = (entry, length) => `[${Array(length).fill(entry)}]`;

/** A path as the module writes it: `productList[3].quantity`. */
export function pathOf(keys) {
  let path = "";
  for (const key of keys) {
    if (typeof key === "number") path += `[${key}]`;
    else if (key.includes("/")) path += `["${wellFormed(key)}"]`;
    else path += `${path && "."}${wellFormed(key)}`;
  }
  return path;
}

/** The text with U+FFFD for half a character, as the module reads it (D10). */
const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");
