import { WORDS } from "order-cost/internal";
import { byId, focusable } from "../dom/index.js";
import { money, t } from "../page/index.js";
import { nextSchedule, withMode } from "./schedules.js";

/** What a basket takes: `limits.maxSchedules`. */
const MOST_SLOTS = 100;

/**
 * Writes beside each way of a slot, and beside the button for another slot, what it would cost: its fee, and the express
 * surcharge if it pays that. Where that is not known, or cannot be had, nothing is written.
 * @param {import("order-cost").Basket} basket
 */
export function showSlotPrices(basket) {
  const { shipping } = basket.order;
  const offers = offersOf(shipping?.scheduleList ?? []).slice(0, MOST_SLOTS);
  basket.setSlots(offers.map(({ scheduleList }) => ({ ...shipping, scheduleList })));
  offers.forEach(({ node, text, index }, place) => {
    const { deliveryFee, expressFee } = basket.slots[place].shipping.scheduleList[index];
    node.textContent = deliveryFee === null ? text : `${text} · ${money(deliveryFee + expressFee)}`;
  });
}

/** @param {readonly import("order-cost").ScheduleInput[]} schedules */
function offersOf(schedules) {
  const ways = schedules.flatMap((schedule, index) => {
    const select = /** @type {HTMLSelectElement} */ (focusable(byId("schedules"), `schedule-${index}-mode`));
    return WORDS.Mode.map((mode, option) => ({
      node: select.options[option],
      text: t(`mode.${mode}`),
      scheduleList: schedules.with(index, withMode(schedule, mode)),
      index,
    }));
  });
  const another = {
    node: byId("add-schedule"),
    text: t("delivery.addSchedule"),
    scheduleList: [...schedules, nextSchedule(schedules)],
    index: schedules.length,
  };
  return [another, ...ways];
}
