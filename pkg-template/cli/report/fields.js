// The fields that differ, and the worst differences of each.
import { absolute, decimalText, exactText, order } from "../../shared/index.js";
import { byTie, rankOf, whyOf } from "../comparison/index.js";
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
  /** The last of them by name. */
  #lastOther = "";
  /** How many differences there are, of all fields. */
  differences = 0;
  #mostOfField;

  /** `mostOfField`: how many differences of one field and kind may be examples. */
  constructor({ mostOfField = EXAMPLES_PER_FIELD } = {}) {
    this.#mostOfField = mostOfField;
  }

  /**
   * The differences of an order. Those that are `listed` may be examples.
   * @param {{ id: string, where: string, tie: string[] }} order
   * @param {Explained[]} differences
   * @param {Explained[]} listed
   */
  add({ tie, ...order }, differences, listed) {
    for (const [index, difference] of differences.entries()) {
      const place = tie.length > 0 ? [...tie, index] : tie;
      this.#add({ ...order, tie: place }, difference, listed.includes(difference));
    }
  }

  /** `side` is the one that failed, if one has. */
  #add({ id, where, tie }, difference, isListed) {
    const { path, kind, side } = difference;
    const field = this.#shownField(difference.field);
    const why = whyOf(difference);
    const size = sizeOf(difference);
    const rank = rankOf(difference);
    const entry = this.#entry({ field, kind, side, why, rank });
    this.differences += 1;
    count(entry, 1, size);
    if (!isListed) return;
    const [left, right] = difference.shown ?? [difference.left, difference.right].map(shownText);
    this.#keep(entry, { weight: [rank, size ?? ZERO], tie, example: { id, where, path, kind, side, why, left, right } });
  }

  /** An order that one side does not have. `shown` is the error text of each side, null where there is none. */
  addUnmatched(id, where, [left, right], isListed) {
    const kind = "unmatched";
    const example = { id, where, path: "", kind, why: "", left, right };
    this.differences += 1;
    if (isListed) this.#keep(this.#entry({ kind }), { weight: [MISSING_ORDER, ZERO], tie: [], example });
  }

  /**
   * Keys that are ids differ from order to order: past a number of them an entry counts all others of its kind. Those that stay
   * are the first by name, whoever has read what.
   */
  #shownField(field) {
    if (field === FURTHER_FIELDS || isSpecified(field) || this.#otherFields.has(field)) return field;
    if (this.#otherFields.size === MOST_OTHER_FIELDS) {
      if (field > this.#lastOther) return FURTHER_FIELDS;
      this.#otherFields.delete(this.#lastOther);
      this.#fold(this.#lastOther);
    }
    this.#otherFields.add(field);
    this.#lastOther = [...this.#otherFields].reduce((a, b) => (a > b ? a : b));
    return field;
  }

  /** Counts what was counted of a field as that of further fields. */
  #fold(field) {
    for (const [key, folded] of this.#entries) {
      if (folded.field !== field) continue;
      this.#entries.delete(key);
      const entry = this.#entry({ ...folded, field: FURTHER_FIELDS });
      count(entry, folded.count, folded.largest);
      for (const one of folded.worst) this.#keep(entry, one);
    }
  }

  /** @param {{ field?: string, kind: string, side?: string, why?: string, rank?: number }} values an order without a partner has no field */
  #entry({ field, kind, side, why, rank }) {
    const key = `${kind} ${side} ${why} ${field}`;
    if (!this.#entries.has(key)) this.#entries.set(key, { field, kind, side, why, rank, count: 0, largest: null, worst: [] });
    return this.#entries.get(key);
  }

  #keep({ worst }, one) {
    worst.push(one);
    if (worst.length >= 2 * this.#mostOfField) worst.sort(byWeight).splice(this.#mostOfField);
  }

  /** @returns {FieldEntry[]} */
  list() {
    return this.#sorted().map(({ rank, worst, largest, ...entry }) => ({ ...entry, largest: largest && decimalText(largest) }));
  }

  #sorted() {
    return [...this.#entries.values()]
      .filter(({ field }) => field !== undefined)
      .sort((a, b) => b.rank - a.rank || b.count - a.count || byTie(tieOf(a), tieOf(b)));
  }

  #worst({ worst }) {
    return worst.sort(byWeight).slice(0, this.#mostOfField);
  }

  /** The list for a tally. */
  data() {
    return this.#sorted().map(({ largest, ...entry }) => ({
      ...entry,
      largest: largest && decimalText(largest),
      worst: this.#worst(entry).map(({ weight: [, size], tie: [, hash, index], example: { id, path, left, right } }) => ({
        ...{ id, hash, index },
        ...{ path, size: decimalText(size), left, right },
      })),
    }));
  }

  /** Adds the list of a tally. */
  merge(entries) {
    for (const read of entries) {
      const { kind, side, why, rank } = read;
      const entry = this.#entry({ ...read, field: this.#shownField(read.field) });
      this.differences += read.count;
      count(entry, read.count, read.largest);
      for (const { id, hash, index, path, size, left, right } of read.worst) {
        const example = { id, where: hash, path, kind, side, why, left, right };
        this.#keep(entry, { weight: [rank, size], tie: [id, hash, index], example });
      }
    }
  }

  /**
   * The worst differences of all fields.
   * @param {number} most
   * @returns {Example[]}
   */
  examples(most) {
    return [...this.#entries.values()]
      .flatMap((entry) => this.#worst(entry))
      .sort(byWeight)
      .slice(0, most)
      .map(({ example }) => example);
  }
}

function count(entry, more, size) {
  entry.count += more;
  if (size && (!entry.largest || order(size, entry.largest) > 0)) entry.largest = size;
}

function byWeight({ weight: [rank, size], tie }, { weight: [otherRank, otherSize], tie: otherTie }) {
  return otherRank - rank || order(otherSize, size) || byTie(tie, otherTie);
}

const tieOf = ({ field, kind, side = "", why }) => [field, kind, side, why];

/** Numbers that measure nothing. */
const NAMES = /^(status|orderDate)$|\.(cprcode|scheduleId|booking_hour|brcode|shippingDate)$/;

/** How far two numbers are apart; undefined if the values are not numbers, or name something. */
function sizeOf(difference) {
  const delta = NAMES.test(difference.field) ? undefined : deltaOf(difference);
  return delta && absolute(delta);
}

const shownText = (value) => (value === undefined ? null : exactText(value));
