// The faults of a build, as a person can read them.

/** So many faults of one kind are shown. */
const MOST_OF_A_KIND = 10;

/**
 * A kind is a file, a column and what was expected: a fault but for its line or indices, and what was got.
 * @param {string} fault
 */
const kindOf = (fault) =>
  fault
    .replace(/:\d+: /, ": ")
    .replaceAll(/\[\d+\]/g, "[…]")
    .replace(/, got .*/s, "");

export class FaultList {
  #print;
  /** @type {Map<string, number>} how many there are of each */
  #kinds = new Map();
  count = 0;

  /** @param {(line: string) => void} print */
  constructor(print) {
    this.#print = print;
  }

  /**
   * Shows a fault, unless its kind was shown often.
   * @param {string} fault
   */
  add(fault) {
    const kind = kindOf(fault);
    const found = (this.#kinds.get(kind) ?? 0) + 1;
    this.#kinds.set(kind, found);
    this.count += 1;
    if (found <= MOST_OF_A_KIND) this.#print(fault);
  }

  /** Tells how many were not shown. */
  end() {
    for (const [kind, found] of this.#kinds) {
      if (found > MOST_OF_A_KIND) this.#print(`… and ${(found - MOST_OF_A_KIND).toLocaleString("en")} more: ${kind}`);
    }
  }
}
