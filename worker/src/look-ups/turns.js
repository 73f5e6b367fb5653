import { msSince } from "order-cost/internal";

const POLL_MS = 5;

/** An order that the runtime ends does not end its turn: with the order, its timers end. A slow one keeps its turn. */
const BEAT_MS = 100;
const MOST_SILENT_MS = 2_000;

/**
 * Lets only some orders at a time do what takes much memory. Each waits with a timer of its own: in workerd, a promise
 * that another order resolves may never settle.
 * @param {number} most
 */
export function createTurns(most) {
  /** When the order of each turn was last seen to run. */
  const turns = new Map();

  function isFull() {
    for (const [turn, seenAt] of turns) if (msSince(seenAt) >= MOST_SILENT_MS) turns.delete(turn);
    return turns.size >= most;
  }

  /** @param {AbortSignal} [signal] ends the waiting, so that what nobody waits for holds nothing */
  return async function inTurn(run, signal) {
    while (isFull()) await new Promise((resolve) => setTimeout(resolve, POLL_MS)).then(() => signal?.throwIfAborted());
    const turn = {};
    const beat = () => turns.set(turn, Date.now());
    beat();
    const beats = setInterval(beat, BEAT_MS);
    try {
      return await run();
    } finally {
      clearInterval(beats);
      turns.delete(turn);
    }
  };
}
