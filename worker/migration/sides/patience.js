/** How long a side may take for its answer. The time stands still while the client reads. */
export class Patience {
  #left;
  #since = Date.now();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #end = new AbortController();
  /** Aborts when it is over. */
  signal = this.#end.signal;
  /** Resolves when it is over. */
  isOver = new Promise((resolve) => this.signal.addEventListener("abort", resolve, { once: true }));

  /** @param {number} ms */
  constructor(ms) {
    this.#left = ms;
    this.start();
  }

  start() {
    this.#since = Date.now();
    this.#timer = setTimeout(() => this.#end.abort("timeout"), this.#left);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (Date.now() - this.#since));
  }
}
