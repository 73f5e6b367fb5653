import { Failure } from "../files/index.js";

/** The parts that are counted, each once. */
export class Parts {
  /** Who counts a part, by its fingerprint. */
  #names = new Map();

  /**
   * @param {string} fingerprint
   * @param {string} name
   */
  add(fingerprint, name) {
    const other = this.#names.get(fingerprint);
    if (other !== undefined) throw new Failure(`${name}: captures that ${other} has counted: expected each part once`);
    this.#names.set(fingerprint, name);
  }

  fingerprints() {
    return [...this.#names.keys()].sort();
  }
}
