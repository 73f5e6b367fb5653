import { msSince } from "order-cost/internal";

const POLL_MS = 5;

/** An order that the runtime ends does not end its turn. Others do not wait longer for it. */
const MOST_TURN_MS = 2_000;

/**
 * Lets only some orders at a time do what takes much memory. Each waits with a timer of its own: in workerd, a promise
 * that another order resolves may never settle.
 * @param {number} most
 */
export function createTurns(most) {
  /** When each turn began. */
  const turns = new Map();

  function isFull() {
    for (const [turn, since] of turns) if (msSince(since) >= MOST_TURN_MS) turns.delete(turn);
    return turns.size >= most;
  }

  /** @param {AbortSignal} [signal] ends the waiting, so that what nobody waits for holds nothing */
  return async function inTurn(run, signal) {
    while (isFull()) await new Promise((resolve) => setTimeout(resolve, POLL_MS)).then(() => signal?.throwIfAborted());
    const turn = {};
    turns.set(turn, Date.now());
    try {
      return await run();
    } finally {
      turns.delete(turn);
    }
  };
}
