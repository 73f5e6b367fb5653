// What a fetch handler learns about an order while it is priced, for `onOrder`.

/** What each function of a host looks up. */
const PARTS = {
  lookupPrices: "prices",
  nationwideRate: "rates",
  lookupVouchers: "vouchers",
  validateCoupons: "coupons",
  deliveryZones: "zones",
};

/** Orders share the zones. */
const SHOWN = ["prices", "rates", "vouchers", "coupons"];

export class Observation {
  /** How many of each the order lists. 0 until the order has been read. */
  counts = { lines: 0, vouchers: 0, coupons: 0, schedules: 0 };
  #begunAt = performance.now();
  /** By part: when its first question was asked, when its last answer came, and how many answers are still out. */
  #parts = {};

  /** @param {ArrayLike<number>} counts as `Job.counts` gives them */
  count([lines, vouchers, coupons, schedules]) {
    this.counts = { lines, vouchers, coupons, schedules };
  }

  ask(lookup) {
    const part = (this.#parts[PARTS[lookup]] ??= { askedAt: performance.now(), out: 0 });
    part.out += 1;
  }

  answer(lookup) {
    const part = this.#parts[PARTS[lookup]];
    part.answeredAt = performance.now();
    part.out -= 1;
  }

  /** Milliseconds of the whole order until now, and of each part; a part without an answer counts until now. */
  ms() {
    const now = performance.now();
    const ms = { total: rounded(now - this.#begunAt) };
    for (const name of SHOWN) {
      const part = this.#parts[name];
      if (part) ms[name] = rounded((part.out > 0 ? now : part.answeredAt) - part.askedAt);
    }
    return ms;
  }
}

const rounded = (ms) => Math.round(ms * 1000) / 1000;
