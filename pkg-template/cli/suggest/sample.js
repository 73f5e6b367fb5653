// Entries of a long list, spread evenly over it.

export class Sample {
  entries = [];
  #most;
  #stride = 1;
  #seen = 0;

  constructor(most) {
    this.#most = most;
  }

  add(entry) {
    const isNext = this.#seen % this.#stride === 0;
    this.#seen += 1;
    if (!isNext) return;
    this.entries.push(entry);
    if (this.entries.length < 2 * this.#most) return;
    this.entries = this.entries.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }
}
