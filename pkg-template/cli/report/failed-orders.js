import { Sum } from "../explain/index.js";

/** The orders that a side failed: how many on which side, and what the other side priced them at. */
export class FailedOrders {
  #counts = { left: 0, right: 0, both: 0 };
  #priced = new Sum();
  #withoutTotal = 0;

  /** Takes a difference, see failedAnswer. */
  add({ side, total }) {
    this.#counts[side] += 1;
    if (total) this.#priced.add(total);
    else if (side !== "both") this.#withoutTotal += 1;
  }

  report() {
    const { left, right, both } = this.#counts;
    return {
      failedLeft: left,
      failedRight: right,
      failedBoth: both,
      failedPriced: this.#priced.text(),
      failedWithoutTotal: this.#withoutTotal,
    };
  }
}
