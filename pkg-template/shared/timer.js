/** The longest delay of a timer. With a longer one it fires at once. */
export const MOST_TIMER_MS = 2 ** 31 - 1;

/** A timer that keeps no process alive. It may fire early: after the longest delay. */
export function after(ms, run) {
  const timer = setTimeout(run, Math.min(ms, MOST_TIMER_MS));
  timer.unref?.();
  return timer;
}
