import { inTurn, median } from "../measure/index.js";

/** An order's time varies more than what is measured: many rounds, and the ratio within each. */
const ROUNDS_PER_BATCH = 4;

/** @typedef {import("../../tests/worker/alone.js").Alone} Alone */

/**
 * @template Figures
 * @typedef {{ without: Figures, with: Figures, ratio: Figures }} Compared
 */

/**
 * Measures two Workers by turns: the median of each figure, and the median of the ratios, with : without.
 * @template {Record<string, number>} Figures
 * @param {{ without: Alone, with: Alone }} workers
 * @param {number} batches
 * @param {(worker: Alone) => Promise<Figures>} batch
 * @returns {Promise<Compared<Figures>>}
 */
export async function byTurns(workers, batches, batch) {
  const entries = Object.entries(workers);
  const rounds = [];
  for (let round = 0; round < ROUNDS_PER_BATCH * batches; round += 1) {
    const measured = {};
    for (const [name, worker] of inTurn(entries, round)) measured[name] = await batch(worker);
    rounds.push(measured);
  }
  const names = Object.keys(rounds[0].without);
  const figures = (of) =>
    /** @type {Figures} */ (Object.fromEntries(names.map((what) => [what, median(rounds.map((round) => of(round, what)))])));
  return {
    without: figures((round, what) => round.without[what]),
    with: figures((round, what) => round.with[what]),
    ratio: figures((round, what) => round.with[what] / round.without[what]),
  };
}
