import { MOST_TIMER_MS } from "./timer.js";

/**
 * What {@link within} throws for an answer that is late.
 * @param {number} ms
 * @returns {() => never}
 */
export const tooLate = (ms) => () => {
  throw new Error(`No answer within ${ms} ms`);
};

/**
 * The value of a promise or, if that takes longer, what `late` returns or throws.
 * @template Value, Late
 * @param {number} ms 0: no limit
 * @param {Promise<Value>} promise
 * @param {() => Late} late
 * @returns {Promise<Value | Awaited<Late>>}
 */
export async function within(ms, promise, late) {
  if (ms === 0) return promise;
  let timer;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, Math.min(ms, MOST_TIMER_MS)))).then(late);
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
