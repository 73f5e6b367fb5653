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

  /** Adds those of a tally: what `report` gives, with amounts. */
  merge({ failedLeft, failedRight, failedBoth, failedPriced, failedWithoutTotal }) {
    this.#counts.left += failedLeft;
    this.#counts.right += failedRight;
    this.#counts.both += failedBoth;
    this.#priced.add(failedPriced);
    this.#withoutTotal += failedWithoutTotal;
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
