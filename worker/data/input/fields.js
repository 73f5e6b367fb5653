// The fields that a record may lack: how many records have each, and what a change takes away.
import { RECORD_COLUMNS } from "./columns.js";

const OPTIONAL = RECORD_COLUMNS.filter((name) => name !== "price");

/**
 * The names in a record's text, whose values hold no quotes.
 * @param {string} record
 */
const fieldsOf = (record) => OPTIONAL.filter((name) => record.includes(`"${name}":`));

/**
 * The fields that a record has and the one in its place does not.
 * @param {string} before
 * @param {string} after
 */
export function lostBetween(before, after) {
  return fieldsOf(before).filter((name) => !fieldsOf(after).includes(name));
}

/** How many records have each field. */
export class FieldCounts {
  #counts;

  /** @param {Record<string, number>} [counts] to begin with */
  constructor(counts = {}) {
    this.#counts = Object.fromEntries(OPTIONAL.map((name) => [name, counts[name] ?? 0]));
  }

  /**
   * @param {string} record
   * @param {number} [times] -1: there is one less
   */
  add(record, times = 1) {
    for (const name of fieldsOf(record)) this.#counts[name] += times;
  }

  /** @param {string[]} names */
  addNames(names) {
    for (const name of names) this.#counts[name] += 1;
  }

  /** @returns {Record<string, number>} without those that no record has */
  toJSON() {
    return Object.fromEntries(Object.entries(this.#counts).filter(([, count]) => count > 0));
  }
}
