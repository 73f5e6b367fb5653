// How work grows with its size. The measure is a ratio of two measurements in one run: small and large work take turns,
// and the least CPU time of each counts. CPU time leaves out what other programs take, and what else adds to it, such as
// garbage collection, is not in every round. So rounds are added while the ratio is too large. Linear work has a ratio of
// 16, or somewhat more where only the small one fits in the CPU's caches; quadratic work has 256.

const TIMES = 16;
export const MOST = 100;

const ROUNDS = 3;
const MOST_ROUNDS = 40;
/** Shorter work is repeated, so that the CPU's clock can measure it. */
const LEAST_MS = 3;

/**
 * The ratio of the work for 4 times the size to the work for a quarter of it.
 * @param {(size: number) => (() => unknown)} workOf prepares the work for a size and returns the function that does it
 * @param {number} size
 */
export async function growth(workOf, size) {
  return ratio(await workOf(4 * size), await workOf((4 * size) / TIMES), MOST);
}

/** The ratio of two works. Measuring stops as soon as it is below `enough`. */
async function ratio(large, small, enough) {
  // The first runs compile the code.
  await msOf(large, 1);
  await msOf(small, 2);
  const works = [];
  for (const work of [large, small]) works.push({ work, times: Math.ceil(LEAST_MS / (await msOf(work, 1))), least: Infinity });
  const quotient = () => works[0].least / works[1].least;
  for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && quotient() >= enough); round += 1) {
    for (const one of works) one.least = Math.min(one.least, await msOf(one.work, one.times));
  }
  return quotient();
}

/** The CPU time of one of `times` runs, in milliseconds. */
async function msOf(work, times) {
  const start = process.cpuUsage();
  for (let index = 0; index < times; index += 1) await work();
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1) / 1000 / times;
}
