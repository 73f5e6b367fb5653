// A list of objects that it does not keep alive.

export class WeakList {
  #references = new Set();

  /** Adds an object. Returns a function that takes it out. */
  add(object) {
    const reference = new WeakRef(object);
    this.#references.add(reference);
    return () => void this.#references.delete(reference);
  }

  /** Those that are still in use. */
  *[Symbol.iterator]() {
    for (const reference of [...this.#references]) {
      const object = reference.deref();
      if (object) yield object;
      else this.#references.delete(reference);
    }
  }
}
