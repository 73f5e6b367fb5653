/**
 * A property whose getter is the same function for all objects that have it. An object that is written with `get x() {…}` gets a
 * getter of its own, and for that V8 makes it a hidden class of its own. It frees such a class only with its old objects, and until
 * then all that the getter sees: so each collection of young objects copied a quarter of what orders had made.
 * @param {(owner: any) => unknown} read
 * @returns {PropertyDescriptor}
 */
export const sharedGetter = (read) => ({
  configurable: true,
  enumerable: true,
  get() {
    return read(this);
  },
});
