/**
 * Stand in for the hashes of ids in a text: hashes come later, and to redact once more with them would double the time.
 * Nothing else in the text looks like `id-` and a mark, which begins with a random number.
 */
export class Marks {
  #begin = hex(crypto.getRandomValues(new Uint32Array(1))[0]);
  #marks = new Map();

  /** @param {string} id */
  of = (id) => {
    if (!this.#marks.has(id)) this.#marks.set(id, this.#begin + hex(this.#marks.size));
    return this.#marks.get(id);
  };

  get ids() {
    return [...this.#marks.keys()];
  }

  /**
   * The text with the hashes in place of the marks.
   * @param {string} text
   * @param {Map<string, string>} hashes by id, as long as a mark: a limit of lengths holds with either
   */
  replaced(text, hashes) {
    const { ids } = this;
    return text.replace(
      new RegExp(`id-${this.#begin}([0-9a-f]{8})`, "g"),
      (_, place) => `id-${hashes.get(ids[Number.parseInt(place, 16)])}`,
    );
  }
}

const hex = (number) => number.toString(16).padStart(8, "0");
