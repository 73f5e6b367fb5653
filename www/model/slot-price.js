/** Whether every price of the order is known. */
export const hasPrices = ({ rows, pending, problems }) =>
  rows.length > 0 &&
  rows.every(({ price }) => price !== null) &&
  !pending.includes("prices") &&
  !problems.some(({ code }) => code === "PRICE_LOOKUP_FAILED");

/**
 * A schedule behind the first one of each mode before it: by any policy these decide whether it pays the express surcharge.
 * Behind all of them it would cost the same, and more time.
 * @param {import("order-cost").ScheduleInput} schedule
 * @param {readonly import("order-cost").ScheduleInput[]} before
 */
export function scheduleListOf(schedule, before) {
  const firsts = before.filter(({ mode }, index) => before.findIndex((other) => other.mode === mode) === index);
  return [...firsts, schedule];
}

/**
 * What the last schedule of a slot costs: its fee, and the express surcharge if it pays that. Undefined until it is known.
 * @param {import("order-cost").BasketSlot} slot
 */
export function priceOfLast({ shipping }) {
  const { deliveryFee, expressFee } = /** @type {import("order-cost").BasketShipping["scheduleList"][number]} */ (
    shipping.scheduleList.at(-1)
  );
  return deliveryFee === null ? undefined : deliveryFee + expressFee;
}
