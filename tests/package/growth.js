// How work grows with its size. The measure is a ratio of two measurements in one run: small and large work take turns,
// and the least CPU time of each counts. CPU time leaves out what other programs take, and what else adds to it, such as
// garbage collection, is not in every round. So rounds are added while the ratio is too large. Quadratic work has a ratio
// of at least 16.

export const TIMES = 4;
export const MOST = 6;

const ROUNDS = 3;
const MOST_ROUNDS = 60;
/** Shorter work is repeated, so that the CPU's clock can measure it. */
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
  let [leastSmall, leastLarge] = [Infinity, Infinity];
  const least = () => leastLarge / leastSmall;
  for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && least() >= enough); round += 1) {
    leastSmall = Math.min(leastSmall, await elapsed(small, times));
    leastLarge = Math.min(leastLarge, await elapsed(large, times));
  }
  return least();
}

/** Milliseconds of CPU time. */
async function elapsed(work, times) {
  const start = process.cpuUsage();
  for (let index = 0; index < times; index += 1) await work();
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1) / 1000;
}
