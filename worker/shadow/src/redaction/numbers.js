import Big from "big.js";

/** Numbers closer than that are one kind of difference (order-cost/compare). */
const HALF_SATANG = new Big("0.005");
const PER_STEP = 200;

/** Calculating with larger exponents would take too long; order-cost/compare does not either. */
const MOST_EXPONENT = 1000;

/** Beyond any coordinate: what stands in for a number equals none that is kept. */
const FIRST = 1000;

/**
 * Puts other numbers in place of numbers. Equal ones stay equal, a difference of under half a satang stays as it is, and
 * two spellings stay two spellings: so a comparison finds the same differences.
 */
export class Numbers {
  /** By text. */
  #made = new Map();
  /** By step of half a satang: the least and the most of the numbers in it, and how far they are moved. */
  #steps = new Map();
  /** How many spellings a number that stands in already has. */
  #spellings = new Map();
  #next = FIRST;

  /** Chooses what stands in for a number. */
  put(text, standIn) {
    if (isModest(text)) this.#note(new Big(text), new Big(standIn).minus(text));
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
    const value = new Big(text);
    const move = this.#moveNear(value) ?? new Big((this.#next += 1)).minus(value);
    this.#note(value, move);
    return value.plus(move).toFixed();
  }

  /** How far the numbers close to this one are moved. Undefined if there are none. */
  #moveNear(value) {
    const step = stepOf(value);
    const [same, below, above] = [step, step.minus(1), step.plus(1)].map((near) => this.#steps.get(nameOf(near)));
    if (same) return same.move;
    if (below && value.minus(below.most).lt(HALF_SATANG)) return below.move;
    return above && above.least.minus(value).lt(HALF_SATANG) ? above.move : undefined;
  }

  #note(value, move) {
    const name = nameOf(stepOf(value));
    const { least = value, most = value } = this.#steps.get(name) ?? {};
    this.#steps.set(name, { least: value.lt(least) ? value : least, most: value.gt(most) ? value : most, move });
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
