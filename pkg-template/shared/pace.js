// Shares the event loop between bodies of many small chunks and everybody else.

/** A reader waits after chunks that cost so many milliseconds. */
const TURN_MS = 3;

/** On a slow or busy machine the same chunks take longer: the others get twice the time that they took, up to a limit. */
const REST_TIMES = 2;
const MOST_REST_MS = 100;

/** The clock may be set back. */
const MOST_WAIT_MS = 60_000;

/** All readers share the time, so that twelve of them take no more of it than one: this is when the next turn begins. */
let freeAt = 0;

/** The pace of one reader. */
export class Pace {
  #owedMs = 0;
  #since = Date.now();

  /** Something was read that costs so many milliseconds. */
  owe(ms) {
    this.#owedMs += ms;
  }

  /** Whether it is time for a turn. */
  get isDue() {
    return this.#owedMs >= TURN_MS;
  }

  /** Waits for a turn, by a timer of its own: in workerd, a promise that another order resolves may never settle. */
  async turn() {
    const now = Date.now();
    const restMs = Math.max(this.#owedMs, Math.min(REST_TIMES * (now - this.#since), MOST_REST_MS));
    freeAt = Math.min(Math.max(now, freeAt), now + MOST_WAIT_MS) + restMs;
    await new Promise((resolve) => setTimeout(resolve, freeAt - now));
    this.#owedMs = 0;
    this.#since = Date.now();
  }
}
