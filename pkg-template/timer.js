/** A timer that keeps no process alive. */
export function after(ms, run) {
  const timer = setTimeout(run, ms);
  timer.unref?.();
  return timer;
}
