import { DEFAULTS } from "order-cost/internal";
import { Numbers } from "./numbers.js";

/** What a default or a rule writes says nothing about anybody. */
const KEPT_TEXTS = new Map([
  ["", ""],
  ["none", "none"],
]);

const POSTCODE = /^\d{5}$/;

/** A client's branch is never longer (D45). */
const MOST_BRANCH_LENGTH = 128;

/** `23.0`, but no digits that are hidden in a fraction. */
const LONGEST_HOUR = 4;

/** What a capture shows in place of what an order held. The same stands in for the same, everywhere in one capture. */
export class StandIns {
  numbers = new Numbers();
  latitudes = new Numbers();
  longitudes = new Numbers();
  #hours = new Numbers();
  #texts = new Map(KEPT_TEXTS);
  #names = new Map();
  #branches = new Set(["", DEFAULTS.Order.branchId]);
  #hashOf;

  /** @param {(id: string) => string} hashOf a keyed hash */
  constructor(hashOf) {
    this.#hashOf = hashOf;
  }

  id(id) {
    return id === "" ? "" : `id-${this.#hashOf(id)}`;
  }

  text(text) {
    if (!this.#texts.has(text)) this.#texts.set(text, `text${this.#texts.size - KEPT_TEXTS.size + 1}`);
    return this.#texts.get(text);
  }

  /** Shows a text in place of another. */
  putText(text, standIn) {
    this.#texts.set(text, standIn);
  }

  /** The name of a member that no table has. */
  name(name) {
    if (!this.#names.has(name)) this.#names.set(name, `key${this.#names.size + 1}`);
    return this.#names.get(name);
  }

  /** A branch that has prices is a branch. Anything else may be whatever a client wrote into its place. */
  keepBranch(branchId) {
    this.#branches.add(branchId);
  }

  branch(branchId) {
    if (this.#branches.has(branchId.toWellFormed())) return branchId; // as the host was asked (D10)
    // One that is too long stays too long.
    return branchId.length > MOST_BRANCH_LENGTH ? this.id(branchId).padEnd(MOST_BRANCH_LENGTH + 1, "-") : this.id(branchId);
  }

  /** Any integer fits, even a telephone number. An hour of the day stays. */
  hour(text) {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) return "0.5"; // as wrong as it was
    if (value >= 0 && value <= 23) return text.length <= LONGEST_HOUR ? text : `${value}`;
    this.#hours.of(`${value}`); // first: the new answer spells it so
    return this.#hours.of(text);
  }

  postcode(postcode) {
    return POSTCODE.test(postcode) ? postcode : this.id(postcode);
  }
}
