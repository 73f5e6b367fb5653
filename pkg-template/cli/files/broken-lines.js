// The lines that `--skip-broken` leaves out: how many, and the first of them.

const MOST_NAMED = 10;

/** Those of threads and parts add up: `merge` takes another one's `{ count, first }` as plain data. */
export class BrokenLines {
  count = 0;
  /** @type {{ index: number, why: string }[]} by their place among all lines */
  first = [];

  /**
   * @param {number} index
   * @param {string} why a sentence that begins with the place
   */
  add(index, why) {
    this.count += 1;
    this.#name([{ index, why }]);
  }

  merge({ count, first }) {
    this.count += count;
    this.#name(first);
  }

  #name(more) {
    this.first = [...this.first, ...more].sort((a, b) => a.index - b.index).slice(0, MOST_NAMED);
  }

  get sentences() {
    return this.first.map(({ why }) => why);
  }

  /** As `--format json` prints it. */
  report() {
    return { count: this.count, first: this.sentences };
  }
}
