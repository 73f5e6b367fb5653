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

/** The first open slot after all of these; the last open one if none is left. */
export function slotAfter(taken, now) {
  const open = openSlots(now);
  const last = Math.max(...taken.map(Date.parse).filter(Number.isFinite));
  return open.find((slot) => Date.parse(slot) > last) ?? open.at(-1);
}

/** The open slots and one more, in the sequence of their times. `dateTime` is unchecked (D11). */
export function withSlot(open, slot) {
  if (!slot || open.includes(slot)) return open;
  return [...open, slot].sort((left, right) => Date.parse(left) - Date.parse(right));
}

/**
 * @typedef {import("order-cost").OrderInput} Order
 * @typedef {import("order-cost").ScheduleInput} Schedule
 * @typedef {Order & { shipping: { scheduleList: readonly Schedule[] } }} PreparedOrder
 *
 * A prepared order, made and delivered now: its schedules get the next open slots, in their sequence.
 * @param {PreparedOrder} order
 * @returns {Order}
 */
export function withOpenSlots({ shipping, ...order }, now = Date.now()) {
  const open = openSlots(now);
  const scheduleList = shipping.scheduleList.map((schedule, index) => inSlot(schedule, open[index]));
  const seconds = (ms) => Math.floor(ms / 1000);
  return {
    ...order,
    orderDate: seconds(now),
    shipping: { ...shipping, scheduleList, shippingDate: seconds(Date.parse(open[0])) },
  };
}

/**
 * Some schedules name the hours of their slot too.
 * @param {Schedule} schedule
 * @param {string} dateTime
 */
function inSlot(schedule, dateTime) {
  const hour = Number(dateTime.slice(11, 13));
  const hours = "date_slot" in schedule && { date_slot: `${hour}:00-${hour + 2}:00`, booking_hour: hour };
  return { ...schedule, dateTime, ...hours };
}

/** An ISO 8601 timestamp in Bangkok time. */
const written = (start) => new Date(start + BANGKOK_MS).toISOString().replace(".000Z", "+07:00");
