/** A function that does nothing twice. */
export function remembered(compute, keyOf = (value) => value) {
  const known = new Map();
  return (value) => {
    const key = keyOf(value);
    if (!known.has(key)) known.set(key, compute(value));
    return known.get(key);
  };
}
