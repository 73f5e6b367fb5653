import { byTie } from "./tie.js";
import { rankOf, whyOf } from "./why.js";

/** How many of the orders that differ are listed. `--ids` writes all. */
const MOST_LISTED = 100;

/** The orders that differ, the worst first. */
export class Differing {
  #orders = [];
  count = 0;

  /**
   * @param {{ id: string, tie: string[] }} order
   * @param {import("../explain/explain.js").Explained[]} differences
   */
  add({ id, tie }, differences) {
    this.count += 1;
    const [worst] = differences.toSorted((a, b) => rankOf(b) - rankOf(a));
    const shown = { id, differences: differences.length, worst: worst.path || "(all)", side: worst.side, why: whyOf(worst) };
    this.#keep({ rank: rankOf(worst), tie, shown });
  }

  #keep(one) {
    if (this.#orders.length === MOST_LISTED && byRank(this.#orders.at(-1), one) <= 0) return;
    this.#orders.push(one);
    this.#orders.sort(byRank).splice(MOST_LISTED);
  }

  list() {
    return this.#orders.map(({ shown }) => shown);
  }

  /** The list for a tally. */
  data() {
    return this.#orders.map(({ rank, tie: [, hash], shown }) => ({ rank, hash, ...shown }));
  }

  /** Adds `count` orders of a tally, of which it lists some. */
  merge(count, listed) {
    this.count += count;
    for (const { rank, hash, ...shown } of listed) this.#keep({ rank, tie: [shown.id, hash], shown });
  }
}

const byRank = (a, b) => b.rank - a.rank || byTie(a.tie, b.tie);
