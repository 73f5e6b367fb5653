import Big from "big.js";

/** Numbers closer than that are one kind of difference (order-cost/compare). */
const HALF_SATANG = new Big("0.005");
const PER_STEP = 200;

/** Thousands of these are less than half a satang. */
const HIDDEN_STEP = new Big("0.000001");

/** Calculating with larger exponents would take too long; order-cost/compare does not either. */
const MOST_EXPONENT = 1000;

/** Beyond any coordinate: what stands in for a number equals none that is kept. */
const FIRST = 1000;

/**
 * Puts other numbers in place of numbers. Equal ones stay equal, a difference of under half a satang stays one, and two
 * spellings stay two spellings: so a comparison finds the same differences.
 */
export class Numbers {
  /** By text. */
  #made = new Map();
  /** By step of half a satang: the least and the most of the numbers in it, what stands in for the first of them, and how far they are moved. */
  #steps = new Map();
  /** By value: what stands in for it, if that hides how close it is to others. */
  #hidden = new Map();
  /** How many spellings a number that stands in already has. */
  #spellings = new Map();
  #next = FIRST;
  #hidesDistance;

  /** @param {{ hidesDistance?: boolean }} [options] `hidesDistance`: a difference of under half a satang gets another size */
  constructor({ hidesDistance = false } = {}) {
    this.#hidesDistance = hidesDistance;
  }

  /** Chooses what stands in for a number. */
  put(text, standIn) {
    if (isModest(text)) this.#note(new Big(text), new Big(standIn));
    this.#keep(text, new Big(standIn).toFixed());
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
    if (!isModest(text)) return `${(this.#next += 1)}`;
    return this.#standInFor(new Big(text)).toFixed();
  }

  #standInFor(value) {
    const near = this.#near(value);
    if (!near) return this.#note(value, new Big((this.#next += 1)));
    if (!this.#hidesDistance) return this.#note(value, value.plus(near.move), near);
    const name = value.toFixed();
    if (!this.#hidden.has(name)) {
      this.#note(value, near.first.plus(HIDDEN_STEP.times(this.#hidden.size)), near);
    }
    return this.#hidden.get(name);
  }

  /** The numbers close to this one. Undefined if there are none. */
  #near(value) {
    const step = stepOf(value);
    const [same, below, above] = [step, step.minus(1), step.plus(1)].map((near) => this.#steps.get(nameOf(near)));
    if (same) return same;
    if (below && value.minus(below.most).lt(HALF_SATANG)) return below;
    return above && above.least.minus(value).lt(HALF_SATANG) ? above : undefined;
  }

  #note(value, standIn, { first, move } = { first: standIn, move: standIn.minus(value) }) {
    const name = nameOf(stepOf(value));
    const { least = value, most = value } = this.#steps.get(name) ?? {};
    this.#steps.set(name, { least: value.lt(least) ? value : least, most: value.gt(most) ? value : most, first, move });
    if (this.#hidesDistance) this.#hidden.set(value.toFixed(), standIn);
    return standIn;
  }

  #keep(text, value) {
    const spelling = this.#spellings.get(value) ?? 0;
    this.#spellings.set(value, spelling + 1);
    const point = spelling > 0 && !value.includes(".") ? "." : "";
    this.#made.set(text, `${value}${point}${"0".repeat(spelling)}`);
  }
}

const isModest = (text) => Number(/e[+-]?(\d+)$/i.exec(text)?.[1] ?? 0) <= MOST_EXPONENT;

const stepOf = (value) => value.times(PER_STEP).round(0, Big.roundDown);

/** There is a negative zero, too. */
const nameOf = (step) => (step.eq(0) ? "0" : step.toFixed());
