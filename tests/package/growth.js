// How work grows with its size. Not by a clock, which is another one on each machine, but as a ratio of two measurements
// in one run: small and large take turns, in rounds, and their medians are compared. What else the machine does comes
// and goes, and most of it adds to the large one, which takes longer: so the measurement is repeated while it is too
// large, and the smallest ratio counts. What is quadratic is 16 at its best.

export const TIMES = 4;
export const MOST = 6;

const ROUNDS = 5;
const ATTEMPTS = 8;
/** Shorter work is repeated, so that a timer sees it. */
const LEAST_MS = 3;

/**
 * What 4 times the size costs against the size itself.
 * @param {(size: number) => (() => unknown)} workOf prepares the work of a size and gives what does it
 * @param {number} size
 */
export async function growth(workOf, size) {
  return ratio(await workOf(TIMES * size), await workOf(size), MOST);
}

/** What one work costs against another one; nobody asks for more once it is below `enough`. */
export async function ratio(large, small, enough) {
  // The first runs compile what the work needs.
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
