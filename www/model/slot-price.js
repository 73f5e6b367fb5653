/** Whether a quote need not ask for prices. */
export const hasPrices = ({ rows, pending, problems }) =>
  rows.length > 0 &&
  rows.every(({ price }) => price !== null) &&
  !pending.includes("prices") &&
  !problems.some(({ code }) => code === "PRICE_LOOKUP_FAILED");

/**
 * What a slot would cost among these: its fee, and the express surcharge if it pays that. Without coupons and
 * vouchers, which are not about a slot and would be asked for with each quote.
 * @param {import("order-cost").Basket} basket
 * @param {readonly import("order-cost").ScheduleInput[]} scheduleList
 * @param {number} index of the slot
 */
export async function priceOfSlot(basket, scheduleList, index) {
  const shipping = { ...basket.order.shipping, scheduleList };
  const quoted = await basket.quote({ shipping, couponCodeList: null, voucherId: null });
  const { scheduleList: priced } = /** @type {import("order-cost").PricedShipping} */ (quoted.shipping);
  return priced[index].deliveryFee + priced[index].expressFee;
}
