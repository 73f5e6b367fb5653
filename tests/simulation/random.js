/** What Math.random gives at a time: else a pause and a deadline would end at once with a deadline and a pause. */
export const randomAt = (now) => ((now * 0.618) % 1) / 1_000;
