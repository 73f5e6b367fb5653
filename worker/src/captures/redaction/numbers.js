import { add, decimal, decimalText, divide, multiply, order, subtract } from "order-cost/internal";
import { TooMuch } from "./exact.js";

/** @typedef {NonNullable<ReturnType<typeof decimal>>} Decimal */

/** Numbers closer than that are one kind of difference (order-cost/compare). */
const HALF_SATANG = decimal("0.005");

/** So many of these are less than half a satang. */
const HIDDEN_STEP = decimal("0.000001");
const MOST_HIDDEN = 4_000;

/** Nobody writes one number in more ways: each way has a zero more. */
const MOST_SPELLINGS = 100;

/** Numbers longer than an amount, in digits or by their exponent, take longer to calculate with. No honest order has many. */
const MOST_LONG = 100;
const LONG = /^.{40}|[eE][+-]?\d{2}/;

/** Beyond any coordinate: what stands in for a number equals none that is kept. */
const FIRST = 1000;

/**
 * Puts other numbers in place of numbers. Equal ones stay equal, a difference of under half a satang stays one of another
 * size, and two spellings stay two spellings: so a comparison finds the same differences, and their digits show nothing.
 */
export class Numbers {
  /** By text. */
  #made = new Map();
  /**
   * By step of half a satang: the least and the most of the numbers in it, and the group of numbers that are close: what stands
   * in for the first, and how many more there are.
   */
  #steps = new Map();
  /** By value: what stands in for it. */
  #standIns = new Map();
  /** How many spellings a number that stands in already has. */
  #spellings = new Map();
  #next = FIRST;
  #long = 0;

  /** Chooses what stands in for a number. */
  put(text, standIn) {
    const value = decimal(text);
    const shown = /** @type {Decimal} */ (decimal(standIn)); // a number of ours
    if (value) this.#note(value, shown);
    this.#keep(text, decimalText(shown));
  }

  /** Chooses what stands in for a number that nobody calculates with. */
  putText(text, standIn) {
    this.#made.set(text, standIn);
  }

  /** @param {string} text */
  of(text) {
    if (!this.#made.has(text)) this.#keep(text, this.#valueFor(text));
    return this.#made.get(text);
  }

  #valueFor(text) {
    if (LONG.test(text) && (this.#long += 1) > MOST_LONG) throw new TooMuch(`More than ${MOST_LONG} long numbers`);
    const value = decimal(text);
    return decimalText(value ? this.#standInFor(value) : this.#unused()); // nobody calculates with what is no decimal here
  }

  #standInFor(value) {
    const group = this.#near(value)?.group;
    if (!group) return this.#note(value, this.#unused());
    return this.#standIns.get(decimalText(value)) ?? this.#note(value, hiddenIn(group), group);
  }

  #unused() {
    return decimal(`${(this.#next += 1)}`);
  }

  /** The numbers close to this one. Undefined if there are none. */
  #near(value) {
    const step = stepOf(value);
    const [same, below, above] = [step, step - 1n, step + 1n].map((near) => this.#steps.get(near));
    if (same) return same;
    if (below && isLess(subtract(value, below.most), HALF_SATANG)) return below;
    return above && isLess(subtract(above.least, value), HALF_SATANG) ? above : undefined;
  }

  #note(value, standIn, group = { first: standIn, hidden: 0 }) {
    const step = stepOf(value);
    const { least = value, most = value } = this.#steps.get(step) ?? {};
    this.#steps.set(step, { least: isLess(value, least) ? value : least, most: isLess(most, value) ? value : most, group });
    this.#standIns.set(decimalText(value), standIn);
    return standIn;
  }

  #keep(text, value) {
    const spelling = this.#spellings.get(value) ?? 0;
    if (spelling > MOST_SPELLINGS) throw new TooMuch(`More than ${MOST_SPELLINGS} spellings of a number`);
    this.#spellings.set(value, spelling + 1);
    const point = spelling > 0 && !value.includes(".") ? "." : "";
    this.#made.set(text, `${value}${point}${"0".repeat(spelling)}`);
  }
}

/** @param {{ first: import("order-cost/internal").Decimal, hidden: number }} group */
function hiddenIn(group) {
  if ((group.hidden += 1) > MOST_HIDDEN) throw new TooMuch(`More than ${MOST_HIDDEN} numbers that are close`);
  const steps = { digits: BigInt(group.hidden), scale: 0n };
  return add(group.first, multiply(HIDDEN_STEP, steps));
}

const stepOf = (value) => divide(value, HALF_SATANG, 0).digits;

const isLess = (a, b) => order(a, b) < 0;
