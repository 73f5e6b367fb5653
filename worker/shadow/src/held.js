/** An isolate has 128 MB for everything, and must answer clients whatever the other side does. */
const MOST_BYTES = 16_777_216;

/** A comparison takes seconds. The runtime may end one, which then never ends here. */
const MOST_MS = 60_000;

/** How much comparisons hold in memory. */
export class Held {
  /** By order: how much, and since when. */
  #held = new Map();

  get isFull() {
    let sum = 0;
    for (const [order, { bytes, since }] of this.#held) {
      if (Date.now() - since > MOST_MS) this.#held.delete(order);
      else sum += bytes;
    }
    return sum >= MOST_BYTES;
  }

  /** @param {object} order */
  add(order, bytes) {
    const { bytes: before = 0, since = Date.now() } = this.#held.get(order) ?? {};
    this.#held.set(order, { bytes: before + bytes, since });
  }

  release(order) {
    this.#held.delete(order);
  }
}
