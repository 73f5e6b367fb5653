/** An isolate has 128 MB for everything, and must answer clients whatever the other side does. */
const MOST_BYTES = 16_777_216;

/** A comparison takes seconds. The runtime may end one, which then never ends here. */
const MOST_MS = 60_000;

/** How much memory the orders hold that are compared: their own bytes, and the copies of their answers. */
export class Held {
  /**
   * By order: how much, and since when.
   * @type {Map<object, { bytes: number, since: number }>}
   */
  #held = new Map();
  #sum = 0;

  /**
   * Whether an order may hold more. If so, that is counted.
   * @param {object} order
   * @param {number} bytes
   */
  take(order, bytes) {
    if (this.#sum + bytes > MOST_BYTES) this.#forgetOld();
    if (this.#sum + bytes > MOST_BYTES) return false;
    const { bytes: before = 0, since = Date.now() } = this.#held.get(order) ?? {};
    this.#held.set(order, { bytes: before + bytes, since });
    this.#sum += bytes;
    return true;
  }

  /** @param {object} order */
  release(order) {
    this.#sum -= this.#held.get(order)?.bytes ?? 0;
    this.#held.delete(order);
  }

  #forgetOld() {
    for (const [order, { since }] of this.#held) if (Date.now() - since > MOST_MS) this.release(order);
  }
}
