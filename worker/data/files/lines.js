/** Lines of text outside V8's heap, where hundreds of growing texts would keep its collector busy. */
export class Lines {
  #buffer = Buffer.allocUnsafeSlow(1024);
  bytes = 0;

  /** @param {string} line */
  add(line) {
    const most = 3 * line.length; // of UTF-8
    if (this.bytes + most > this.#buffer.length) this.#grow(most);
    this.bytes += this.#buffer.write(line, this.bytes);
  }

  /** @param {number} more */
  #grow(more) {
    const larger = Buffer.allocUnsafeSlow(2 * this.#buffer.length + more);
    this.#buffer.copy(larger, 0, 0, this.bytes);
    this.#buffer = larger;
  }

  get text() {
    return this.#buffer.toString("utf8", 0, this.bytes);
  }
}
