/** A small seeded generator (mulberry32): the same seed always gives the same numbers. */
export function randomFrom(seed) {
  let state = seed >>> 0;

  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `least` to `most`, inclusive. */
  const integer = (least, most) => least + Math.floor(next() * (most - least + 1));
  const chance = (probability) => next() < probability;
  const pick = (list) => list[integer(0, list.length - 1)];
  const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  const digits = (count) => times(count, () => integer(0, 9)).join("");

  /** Picks from `[weight, value]` pairs. */
  function weighted(pairs) {
    let left = next() * pairs.reduce((total, [weight]) => total + weight, 0);
    return pairs.find(([weight]) => (left -= weight) < 0)?.[1] ?? pairs[0][1];
  }

  function shuffle(list) {
    return list
      .map((value) => ({ value, key: next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value);
  }

  return { integer, chance, pick, times, digits, weighted, shuffle };
}
