import { LIMITS, WORDS } from "order-cost/internal";
import { byId, focusable } from "../dom/index.js";
import { hasPrices, priceOfLast, scheduleListOf } from "../model/index.js";
import { money, t } from "../page/index.js";
import { nextSchedule, withMode } from "./schedules.js";

/**
 * Writes beside each way of a slot, and beside the button for another slot, what it would cost. Where that is not known,
 * or cannot be had, nothing is written. Nothing is asked for what nobody sees, nor while prices are missing: the order
 * matters more.
 * @param {import("order-cost").Basket} basket
 */
export function showSlotPrices(basket) {
  const { shipping } = basket.order;
  const isSeen = shipping?.shippingType === "DELIVERY" && hasPrices(basket.snapshot);
  const offers = isSeen ? offersOf(shipping.scheduleList ?? []).slice(0, LIMITS.maxSchedules) : [];
  basket.setSlots(offers.map(({ scheduleList }) => ({ ...shipping, scheduleList })));
  offers.forEach(({ node, text }, place) => {
    const price = priceOfLast(basket.slots[place]);
    node.textContent = price === undefined ? text : `${text} · ${money(price)}`;
  });
}

/** @param {readonly import("order-cost").ScheduleInput[]} schedules */
function offersOf(schedules) {
  const ways = schedules.flatMap((schedule, index) => {
    const select = /** @type {HTMLSelectElement} */ (focusable(byId("schedules"), `schedule-${index}-mode`));
    return WORDS.Mode.map((mode, option) => ({
      node: select.options[option],
      text: t(`mode.${mode}`),
      scheduleList: scheduleListOf(withMode(schedule, mode), schedules.slice(0, index)),
    }));
  });
  const another = {
    node: byId("add-schedule"),
    text: t("delivery.addSchedule"),
    scheduleList: scheduleListOf(nextSchedule(schedules), schedules),
  };
  return schedules.length < LIMITS.maxSchedules ? [another, ...ways] : ways;
}
