// What became of the orders, for people.
import { count } from "../../command-line/index.js";

/** The outcomes of a comparison, as a person reads them. */
const OUTCOMES = {
  same: "same",
  different: "different",
  legacyFailed: "failed on the old side",
  newFailed: "failed on the new side",
  bothFailed: "failed on both sides",
};

/** A screen shows so many reasons; more are kept no longer than they help. */
const MOST_SHOWN = 5;
const MOST_KEPT = 1000;

/** How often each reason was given, and where first. */
class Reasons {
  /** @type {Map<string, { count: number, first: number }>} */
  #counts = new Map();
  total = 0;

  /**
   * @param {string} reason
   * @param {number} line
   */
  add(reason, line) {
    this.total += 1;
    const { count, first } = this.#counts.get(reason) ?? { count: 0, first: line };
    if (count === 0 && this.#counts.size === MOST_KEPT) return;
    this.#counts.set(reason, { count: count + 1, first: Math.min(first, line) }); // orders end in another sequence
  }

  *lines() {
    const reasons = [...this.#counts].sort(([, one], [, other]) => other.count - one.count);
    for (const [reason, { count, first }] of reasons.slice(0, MOST_SHOWN)) yield `  ${figure(count)} ${reason} (first: line ${first})`;
    if (reasons.length > MOST_SHOWN) yield `  and ${count(reasons.length - MOST_SHOWN, "other reason")}`;
  }
}

export class Tally {
  #outcomes = Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, 0]));
  #failures = new Reasons();
  #notKept = new Reasons();
  /** Orders with coupon codes that were left out. */
  leftOut = 0;
  kept = 0;
  #lastReached = 0;
  /** @type {number[]} */
  #unreached = [];

  /**
   * @param {number} line of the order
   * @param {keyof typeof OUTCOMES} outcome
   * @param {string[]} failures why each side that failed did
   * @param {string} [notKept] why there is no capture
   */
  add(line, outcome, failures, notKept) {
    this.#outcomes[outcome] += 1;
    if (failures.length > 0) this.#failures.add(failures.join("; "), line);
    if (notKept === undefined) this.kept += 1;
    else this.#notKept.add(notKept, line);
  }

  /**
   * @param {number} line of the order
   * @param {boolean} isReached whether the old side gave any answer
   */
  note(line, isReached) {
    // Orders end in another sequence than they begin.
    if (line <= this.#lastReached) return;
    if (!isReached) return void this.#unreached.push(line);
    this.#lastReached = line;
    this.#unreached = this.#unreached.filter((one) => one > line);
  }

  /** How many orders at the end did not reach the old side. */
  get unreached() {
    return this.#unreached.length;
  }

  get sent() {
    return Object.values(this.#outcomes).reduce((sum, one) => sum + one, 0);
  }

  get taken() {
    return this.sent + this.leftOut;
  }

  /** Of those that were sent, how many a side failed. */
  get failed() {
    return this.#failures.total;
  }

  /** @param {string} folder */
  *lines(folder) {
    for (const [name, text] of Object.entries(OUTCOMES)) if (this.#outcomes[name] > 0) yield `${figure(this.#outcomes[name])} ${text}`;
    if (this.leftOut > 0) yield `${figure(this.leftOut)} left out, with coupon codes`;
    if (this.#failures.total > 0) yield* ["", "Why sides failed:", ...this.#failures.lines()];
    const { total } = this.#notKept;
    yield* ["", `${count(this.kept, "capture")} in ${folder}${total > 0 ? `, ${total.toLocaleString("en")} not kept:` : ""}`];
    yield* this.#notKept.lines();
  }
}

/** @param {number} number */
const figure = (number) => number.toLocaleString("en").padStart(7);
