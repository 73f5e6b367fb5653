// What a fetch handler learns about an order while it is priced, for `onOrder`.

/** What each slot of host.js looks up. The last is the delivery zones, which serve many orders: they do not count. */
const PARTS = ["prices", "rates", "rates", "rates", "vouchers", "coupons", undefined];
const COUNTED = ["prices", "rates", "vouchers", "coupons"];

export class Observation {
  /** How many of each the order lists. 0 until the order has been read. */
  counts = { lines: 0, vouchers: 0, coupons: 0, schedules: 0 };
  #begunAt = performance.now();
  /** By part: when its first question was asked, and when its last answer came. */
  #asked = {};
  #answered = {};

  /** @param {ArrayLike<number>} counts as `Job.counts` gives them */
  count([lines, vouchers, coupons, schedules]) {
    this.counts = { lines, vouchers, coupons, schedules };
  }

  ask(slot) {
    this.#asked[PARTS[slot]] ??= performance.now();
  }

  answer(slot) {
    this.#answered[PARTS[slot]] = performance.now();
  }

  /** Milliseconds of the whole order until now, and of each part; a part without an answer counts until now. */
  ms() {
    const now = performance.now();
    const ms = { total: rounded(now - this.#begunAt) };
    for (const part of COUNTED) {
      if (part in this.#asked) ms[part] = rounded((this.#answered[part] ?? now) - this.#asked[part]);
    }
    return ms;
  }
}

const rounded = (ms) => Math.round(ms * 1000) / 1000;
