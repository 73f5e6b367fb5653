// Immutable values with structural sharing: a part that has not changed stays the same object.

/** Longer lists would take too long to search. Rows and products, which may be many, are aligned by their keys. */
const MOST_SEARCHED = 100;

/**
 * `previous` if `next` is deeply equal to it; else `next`, frozen, with every part of `previous` that is equal. Changes
 * `next`, which must be fresh from JSON.parse. What is frozen already counts as shared.
 */
export function share(previous, next) {
  if (typeof next !== "object" || next === null || Object.isFrozen(next)) return next;
  const isList = Array.isArray(next);
  const isComparable = hasParts(previous) && Array.isArray(previous) === isList;
  const keys = Object.keys(next);
  let isSame = isComparable && Object.keys(previous).length === keys.length;
  for (const key of keys) {
    const value = next[key];
    const before = isComparable && Object.hasOwn(previous, key) ? previous[key] : undefined;
    // A JSON value is never undefined: a key that was not there counts as another value.
    if (!hasParts(value)) {
      isSame &&= Object.is(value, before);
      continue;
    }
    let shared = share(before, value);
    if (isList && isComparable && shared !== before) shared = found(previous, shared);
    if (shared !== value) next[key] = shared;
    isSame &&= shared === before;
  }
  return isSame ? previous : Object.freeze(next);
}

/** The equal entry of a list, at whatever place, else the value itself. */
function found(list, value) {
  if (list.length > MOST_SEARCHED) return value;
  const text = JSON.stringify(value);
  return list.find((entry) => JSON.stringify(entry) === text) ?? value;
}

/** Whether two values that came from JSON are deeply equal. Freezes `right`. */
export const isEqual = (left, right) => Object.is(share(left, right), left);

const hasParts = (value) => typeof value === "object" && value !== null;

/** `next`, finished, with its parts as they are, or `previous` if every part is the same. Both are plain objects. */
export function sameOr(previous, next, finish = Object.freeze) {
  if (!previous) return finish(next);
  // A loop, because each edit comes here: Object.keys would make a list.
  for (const key in next) if (!Object.is(previous[key], next[key])) return finish(next);
  return previous;
}

/** `next`, frozen, or `previous` if every item is the same. */
export const sameList = (previous, next) =>
  next.length === previous.length && next.every((item, index) => item === previous[index]) ? previous : Object.freeze(next);

/** The steps of each snapshot: `{ list, read }`, of which `read` makes the list. */
const stepsOf = new WeakMap();

/** Not enumerable: nobody who compares, copies or writes a snapshot shall make the steps. One for all, which V8 makes faster. */
const ON_DEMAND = {
  get() {
    const steps = stepsOf.get(this);
    return (steps.list ??= steps.read());
  },
};

/** A snapshot, frozen, whose steps are read when somebody asks. The one before may have begun anew in another module. */
export function withSteps(snapshot, steps) {
  stepsOf.set(snapshot, steps);
  return Object.isFrozen(snapshot) ? snapshot : Object.freeze(Object.defineProperty(snapshot, "steps", ON_DEMAND));
}
