import { MOST_TIMER_MS } from "./runtime.js";

/** What {@link within} throws for an answer that is late. */
export const tooLate = (ms) => () => {
  throw new Error(`No answer within ${ms} ms`);
};

/**
 * The value of a promise or, if that takes longer, what `late` returns or throws.
 * @param {number} ms 0: no limit
 * @param {Promise<unknown>} promise
 * @param {() => unknown} late
 */
export async function within(ms, promise, late) {
  if (ms === 0) return promise;
  let timer;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, Math.min(ms, MOST_TIMER_MS)))).then(late);
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
