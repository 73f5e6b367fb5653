// How work grows with its size. The measure is not a time, which differs between machines, but a ratio of two
// measurements in one run: small and large work take turns in rounds, and their medians are compared. Other load on the
// machine mostly affects the large work, which takes longer. So the measurement is repeated while the ratio is too
// large, and the smallest ratio counts. Quadratic work has a ratio of at least 16.

export const TIMES = 4;
export const MOST = 6;

const ROUNDS = 5;
const ATTEMPTS = 8;
/** Shorter work is repeated, so that the timer can measure it. */
const LEAST_MS = 3;

/**
 * The ratio of the work for 4 times the size to the work for the size.
 * @param {(size: number) => (() => unknown)} workOf prepares the work for a size and returns the function that does it
 * @param {number} size
 */
export async function growth(workOf, size) {
  return ratio(await workOf(TIMES * size), await workOf(size), MOST);
}

/** The ratio of two works. Measuring stops as soon as it is below `enough`. */
export async function ratio(large, small, enough) {
  // The first runs compile the code.
  await elapsed(large, 1);
  await elapsed(small, 2);
  const times = Math.ceil(LEAST_MS / (await elapsed(small, 1)));
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least >= enough; attempt += 1) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ small: await elapsed(small, times), large: await elapsed(large, times) });
    }
    const medianOf = (name) => median(rounds.map((round) => round[name]));
    least = Math.min(least, medianOf("large") / medianOf("small"));
  }
  return least;
}

async function elapsed(work, times) {
  const start = performance.now();
  for (let index = 0; index < times; index += 1) await work();
  return performance.now() - start;
}

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
