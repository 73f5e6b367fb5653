/**
 * How long ago a time of the clock is, for all that ages. A clock that was ahead may be set back: then the time lies ahead,
 * nothing is known of its age, and it is too long ago.
 * @param {number} time as Date.now() gave it
 */
export function msSince(time) {
  const ms = Date.now() - time;
  return ms < 0 ? Infinity : ms;
}
