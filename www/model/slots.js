const BANGKOK_MS = 7 * 3_600_000; // the same all year
const DAY_MS = 86_400_000;
const DAYS = 4;
const HOURS = [10, 13, 16, 19];

/** The slots that can be booked: four a day, starting with the next one, as `dateTime` values. */
export function openSlots(now = Date.now()) {
  const midnight = Math.floor((now + BANGKOK_MS) / DAY_MS) * DAY_MS - BANGKOK_MS;
  const days = Array.from({ length: DAYS }, (_, day) => midnight + day * DAY_MS);
  const starts = days.flatMap((day) => HOURS.map((hour) => day + hour * 3_600_000));
  return starts.filter((start) => start > now).map(written);
}

/** An ISO 8601 timestamp in Bangkok time. */
const written = (start) => new Date(start + BANGKOK_MS).toISOString().replace(".000Z", "+07:00");
