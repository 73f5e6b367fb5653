import { rankOf, whyOf } from "./why.js";

/** How many of the orders that differ are listed. `--ids` writes all. */
const MOST_LISTED = 100;

/** The orders that differ, the worst first. */
export class Differing {
  #orders = [];
  count = 0;

  add(id, differences) {
    this.count += 1;
    const [worst] = differences.toSorted((a, b) => rankOf(b) - rankOf(a));
    const rank = rankOf(worst);
    if (this.#orders.length === MOST_LISTED && this.#orders.at(-1).rank >= rank) return;
    const shown = { id, differences: differences.length, worst: worst.path || "(all)", side: worst.side, why: whyOf(worst) };
    this.#orders.push({ rank, shown });
    this.#orders.sort((a, b) => b.rank - a.rank).splice(MOST_LISTED);
  }

  list() {
    return this.#orders.map(({ shown }) => shown);
  }
}
