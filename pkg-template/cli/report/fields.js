// The fields that differ, and the worst differences of each.
import { absolute, decimalText, exactText, order } from "../../shared/index.js";
import { rankOf, whyOf } from "../comparison/index.js";
import { deltaOf, isSpecified, ZERO } from "../explain/index.js";

/** How many examples of one field and kind are kept, so that one field does not crowd out the others. */
const EXAMPLES_PER_FIELD = 3;
/** There is an entry for each field of the specification, and for so many others. */
const MOST_OTHER_FIELDS = 1_000;
const FURTHER_FIELDS = "(further fields)";
const MISSING_ORDER = 4;

/**
 * @typedef {import("../explain/explain.js").Explained} Explained
 * @typedef {import("../../shared/decimal.js").Decimal} Decimal
 *
 * @typedef {object} FieldEntry
 * @property {string} field
 * @property {string} kind
 * @property {Explained["side"]} [side]
 * @property {string} why
 * @property {number} count
 * @property {string | null} largest
 *
 * @typedef {object} Example
 * @property {string} id
 * @property {string} where
 * @property {string} path
 * @property {string} kind
 * @property {Explained["side"]} [side]
 * @property {string} why
 * @property {string | null} left null: there is nothing
 * @property {string | null} right
 */

export class Fields {
  #entries = new Map();
  #otherFields = new Set();
  /** How many differences there are, of all fields. */
  differences = 0;
  #mostOfField;

  /** `mostOfField`: how many differences of one field and kind may be examples. */
  constructor({ mostOfField = EXAMPLES_PER_FIELD } = {}) {
    this.#mostOfField = mostOfField;
  }

  /** A difference of an order. `side` is the one that failed, if one has; `isListed`: it may be an example. */
  add(id, where, difference, isListed) {
    const { path, kind, side } = difference;
    const field = this.#shownField(difference.field);
    const why = whyOf(difference);
    const size = sizeOf(difference);
    const rank = rankOf(difference);
    const entry = this.#entry(`${kind} ${side} ${why} ${field}`, { field, kind, side, why, rank });
    entry.count += 1;
    if (size && (!entry.largest || order(size, entry.largest) > 0)) entry.largest = size;
    const [left, right] = difference.shown ?? [difference.left, difference.right].map(shownText);
    this.#keep(entry, isListed && { weight: [rank, size ?? ZERO], example: { id, where, path, kind, side, why, left, right } });
  }

  /** An order that one side does not have. `shown` is the error text of each side, null where there is none. */
  addUnmatched(id, where, [left, right], isListed) {
    const kind = "unmatched";
    const example = { id, where, path: "", kind, why: "", left, right };
    this.#keep(this.#entry(kind, { kind }), isListed && { weight: [MISSING_ORDER, ZERO], example });
  }

  /** Keys that are ids differ from order to order: past a number of them an entry counts all others of its kind. */
  #shownField(field) {
    if (isSpecified(field) || this.#otherFields.has(field)) return field;
    if (this.#otherFields.size === MOST_OTHER_FIELDS) return FURTHER_FIELDS;
    this.#otherFields.add(field);
    return field;
  }

  #entry(key, values) {
    if (!this.#entries.has(key)) this.#entries.set(key, { ...values, count: 0, largest: null, worst: [] });
    return this.#entries.get(key);
  }

  #keep({ worst }, listed) {
    this.differences += 1;
    if (!listed) return;
    worst.push(listed);
    if (worst.length >= 2 * this.#mostOfField) worst.sort(byWeight).splice(this.#mostOfField);
  }

  /** @returns {FieldEntry[]} */
  list() {
    return [...this.#entries.values()]
      .filter(({ field }) => field !== undefined)
      .sort((a, b) => b.rank - a.rank || b.count - a.count)
      .map(({ rank, worst, largest, ...entry }) => ({ ...entry, largest: largest && decimalText(largest) }));
  }

  /**
   * The worst differences of all fields.
   * @param {number} most
   * @returns {Example[]}
   */
  examples(most) {
    return [...this.#entries.values()]
      .flatMap(({ worst }) => worst.sort(byWeight).slice(0, this.#mostOfField))
      .sort(byWeight)
      .slice(0, most)
      .map(({ example }) => example);
  }
}

function byWeight({ weight: [rank, size] }, { weight: [otherRank, otherSize] }) {
  return otherRank - rank || order(otherSize, size);
}

/** Numbers that measure nothing. */
const NAMES = /^(status|orderDate)$|\.(cprcode|scheduleId|booking_hour|brcode|shippingDate)$/;

/** How far two numbers are apart; undefined if the values are not numbers, or name something. */
function sizeOf(difference) {
  const delta = NAMES.test(difference.field) ? undefined : deltaOf(difference);
  return delta && absolute(delta);
}

const shownText = (value) => (value === undefined ? null : exactText(value));
