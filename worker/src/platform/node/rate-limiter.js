/**
 * Counts the orders of a key or an address in this process.
 * @param {number | undefined} limit absent: nothing is limited
 * @param {number} seconds
 */
export function createRateLimiter(limit, seconds) {
  if (limit === undefined) return undefined;
  let counter;

  return {
    async limit({ key }) {
      // Loaded only where there is a limit: it takes a tenth of the start.
      const { RateLimiterMemory, RateLimiterRes } = await import("rate-limiter-flexible");
      counter ??= new RateLimiterMemory({ points: limit, duration: seconds });
      try {
        await counter.consume(key);
        return { success: true };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { success: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
      }
    },
  };
}
