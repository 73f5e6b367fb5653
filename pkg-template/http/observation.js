// What a fetch handler learns about an order while it is priced, for `onOrder`.
import { LOOK_UPS } from "../order-fields.js";

/** The look-ups, and how an outcome names each. */
const PARTS = Object.entries(LOOK_UPS).map(([name, { part }]) => ({ name, part }));

export class Observation {
  /** How many of each the order lists. 0 until the order has been read. */
  counts = { lines: 0, vouchers: 0, coupons: 0, schedules: 0 };
  #begunAt = performance.now();
  /** By function: when it was first asked, when its last answer came, and how many answers are still out. */
  #lookups = {};

  /** @param {ArrayLike<number>} counts as `Job.counts` gives them */
  count(counts) {
    this.counts = { lines: counts[0], vouchers: counts[1], coupons: counts[2], schedules: counts[3] };
  }

  ask(name, askedAt = performance.now()) {
    const lookup = (this.#lookups[name] ??= { askedAt, out: 0 });
    lookup.out += 1;
  }

  answer(name) {
    const lookup = this.#lookups[name];
    lookup.answeredAt = performance.now();
    lookup.out -= 1;
  }

  /** Milliseconds of the whole order until now, and of each look-up; one without an answer counts until now. Orders share the zones. */
  ms() {
    const now = performance.now();
    const ms = { total: rounded(now - this.#begunAt) };
    for (const { name, part } of PARTS) {
      const lookup = this.#lookups[name];
      if (lookup) ms[part] = rounded((lookup.out > 0 ? now : lookup.answeredAt) - lookup.askedAt);
    }
    return ms;
  }
}

const rounded = (ms) => Math.round(ms * 1000) / 1000;
