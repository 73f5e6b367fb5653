import { WORDS } from "order-cost/internal";
import { byId, focusable } from "../dom/index.js";
import { hasPrices, priceOfSlot } from "../model/index.js";
import { money, t } from "../page/index.js";
import { nextSchedule, withMode } from "./schedules.js";

/**
 * Writes beside each way of a slot, and beside the button for another slot, what it would cost. Where that is not known,
 * or cannot be had, nothing is written.
 * @param {import("order-cost").Basket} basket
 */
export function createSlotPrices(basket) {
  let round = 0;

  return async function show() {
    const current = (round += 1);
    if (!hasPrices(basket.snapshot)) return;
    // One after the other: what the first has asked for, the next one knows.
    for (const { node, text, scheduleList, index } of offersOf(basket.order.shipping?.scheduleList ?? [])) {
      const price = await priceOfSlot(basket, scheduleList, index).catch(() => undefined);
      if (current !== round) return;
      node.textContent = price === undefined ? text : `${text} · ${money(price)}`;
    }
  };
}

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
  return [...ways, another];
}
