// How hard the random tests try. A change tries the same few cases on every machine; the night tries more, from a seed
// of its own, which `cargo xtask test --night` prints.
export const SEED = number("ORDER_COST_SEED", 1);

const TIMES = number("ORDER_COST_TIMES", 1);

/** The number of cases where a change tries `usual`. */
export const cases = (usual) => Math.ceil(usual * TIMES);

/** A third of the items for a change, which one by the seed; all of them for the night. */
export const someOf = (items) => (TIMES > 1 ? items : items.filter((_, index) => index % 3 === SEED % 3));

/** What a change does with less; the whole is for the night. */
export const allAtNight = (few, all) => (TIMES > 1 ? all : few);

function number(variable, usual) {
  const value = Number(process.env[variable] ?? usual);
  if (!(value > 0)) throw new Error(`${variable}: expected a number above 0, got ${process.env[variable]}`);
  return value;
}
