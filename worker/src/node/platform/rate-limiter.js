/**
 * Counts the orders of a key or an address in this process.
 * @param {number | undefined} limit absent: nothing is limited
 * @param {number} period in seconds
 */
export function createRateLimiter(limit, period) {
  if (limit === undefined) return undefined;
  let counter;

  return {
    async limit({ key }) {
      // Loaded only where there is a limit: it takes a tenth of the start.
      const { RateLimiterMemory, RateLimiterRes } = await import("rate-limiter-flexible");
      counter ??= new RateLimiterMemory({ points: limit, duration: period });
      try {
        await counter.consume(key);
        return { success: true };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        // The period ends by a timer. A clock that is set back would make it longer.
        const seconds = Math.ceil(refusal.msBeforeNext / 1000);
        return { success: false, retryAfterSeconds: Math.min(period, Math.max(1, seconds)) };
      }
    },
  };
}
