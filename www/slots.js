const BANGKOK_MS = 7 * 3_600_000; // the same all the year round
const DAY_MS = 86_400_000;
const DAYS = 4;
const HOURS = [10, 13, 16, 19];

/** The slots that can be booked: four a day, from the next one on, as times of a schedule. */
export function openSlots(now = Date.now()) {
  const midnight = Math.floor((now + BANGKOK_MS) / DAY_MS) * DAY_MS - BANGKOK_MS;
  const days = Array.from({ length: DAYS }, (_, day) => midnight + day * DAY_MS);
  const starts = days.flatMap((day) => HOURS.map((hour) => day + hour * 3_600_000));
  return starts.filter((start) => start > now).map(written);
}

/** As ISO 8601 has it, in Bangkok's time. */
const written = (start) => new Date(start + BANGKOK_MS).toISOString().replace(".000Z", "+07:00");
