// Times entrants side by side. In each round, every entrant does all of the work once. Noise in a round then affects
// all entrants, and ratios are taken within a round.

/** Long enough for V8 to compile the hot code. */
const WARM_UP_MS = 250;
const FEWEST_ROUNDS = 5;
const MOST_ROUNDS = 200;

/**
 * @template Item
 * @typedef {{ name: string, run(item: Item): unknown } | { name: string, time(): Promise<number> }} Entrant
 *   one with `time` measures the nanoseconds per item itself, because it runs in another process
 */

/**
 * The microseconds per item, by entrant and round.
 * @template Item
 * @param {Entrant<Item>[]} entrants
 * @param {Item[]} items
 * @param {number} budgetMs time for all rounds, after the warm-up
 * @returns {Promise<Record<string, number[]>>}
 */
export async function measure(entrants, items, budgetMs) {
  /** @type {Record<string, number[]>} */
  const samples = Object.fromEntries(entrants.map(({ name }) => [name, []]));
  for (const entrant of entrants) await warmUp(entrant, items, Math.min(WARM_UP_MS, budgetMs / entrants.length));
  const end = performance.now() + budgetMs;
  for (let round = 0; round < FEWEST_ROUNDS || (round < MOST_ROUNDS && performance.now() < end); round += 1) {
    for (const entrant of inTurn(entrants, round)) {
      samples[entrant.name].push(await time(entrant, items));
    }
  }
  return samples;
}

/**
 * Rotates the sequence in each round, so that no entrant always follows the one that leaves the most garbage.
 * @template Entrant
 * @param {Entrant[]} entrants
 * @param {number} round
 */
export function inTurn(entrants, round) {
  const first = round % entrants.length;
  return [...entrants.slice(first), ...entrants.slice(0, first)];
}

async function warmUp(entrant, items, ms) {
  const end = performance.now() + ms;
  do await time(entrant, items);
  while (performance.now() < end);
}

/** Microseconds per item, over all items. */
async function time(entrant, items) {
  if (entrant.time) return (await entrant.time()) / 1_000;
  const start = performance.now();
  for (const item of items) await entrant.run(item);
  return ((performance.now() - start) * 1_000) / items.length;
}

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** The median of the ratios within the rounds. */
export function pairedRatio(samples, of, to) {
  return median(samples[of].map((value, round) => value / samples[to][round]));
}
