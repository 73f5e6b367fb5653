/**
 * How long ago a time of the clock is, for all that ages. A clock that was ahead may be set back: then the time lies ahead,
 * nothing is known of its age, and it is too long ago.
 * @param {number} time as Date.now() gave it
 */
export const msSince = (time) => (Date.now() < time ? Infinity : Date.now() - time);
