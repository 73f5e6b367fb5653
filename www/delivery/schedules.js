import { WORDS } from "order-cost/internal";
import { element, icon } from "../dom/index.js";
import { hasSurcharge, isByPostcode, modeOf, openSlots, parcelOf, slotAfter, withSlot } from "../model/index.js";
import { known, money, slotTime, t } from "../page/index.js";

export const modeName = (schedule) => t(`mode.${modeOf(schedule)}`);

/**
 * @typedef {import("order-cost").ScheduleInput} Schedule
 *
 * The schedules of a delivery in their sequence, which decides about the express surcharge (D38).
 * @param {readonly Schedule[]} schedules of the order
 * @param {import("order-cost").BasketShipping["scheduleList"]} priced the same with their fees, which are null until they
 *   are known
 * @param {boolean} isAwaited whether fees are still asked for
 * @param {(schedules: Schedule[]) => void} set
 */
export function scheduleCards(schedules, priced, isAwaited, set) {
  const replace = (index, fields) => set(schedules.map((schedule, i) => (i === index ? { ...schedule, ...fields } : schedule)));
  const swap = (index, other) => {
    const moved = [...schedules];
    [moved[index], moved[other]] = [moved[other], moved[index]];
    set(moved);
  };
  return schedules.map((schedule, index) => {
    const label = t("schedule.label", { number: index + 1 });
    const button = (kind, text, isOff, press) =>
      element(
        "button",
        {
          type: "button",
          class: "icon-button quiet",
          "aria-label": `${text}: ${label}`,
          title: text,
          disabled: isOff,
          "data-focus": `schedule-${index}-${kind}`,
          "data-focus-next": `schedule-${kind === "up" ? index : index - 1}-remove`,
          click: press,
        },
        icon(kind),
      );
    return element(
      "li",
      { class: "schedule", "aria-label": label },
      element("span", { class: "schedule-number", "aria-hidden": "true" }, String(index + 1)),
      element(
        "div",
        { class: "schedule-fields" },
        choice(
          t("schedule.mode"),
          `schedule-${index}-mode`,
          modeOf(schedule),
          WORDS.Mode.map((mode) => [mode, t(`mode.${mode}`)]),
          (mode) => replace(index, withMode(schedule, mode)),
        ),
        choice(t("schedule.slot"), `schedule-${index}-slot`, schedule.dateTime ?? "", slots(schedule), (dateTime) =>
          replace(index, { dateTime }),
        ),
        isByPostcode(schedule) &&
          choice(
            t("schedule.parcel"),
            `schedule-${index}-parcel`,
            parcelOf(schedule),
            WORDS.NationwideMode.map((kind) => [kind, t(`parcel.${kind}`)]),
            (nationwideMode) => replace(index, { nationwideMode }),
          ),
      ),
      element("p", { class: "schedule-fee" }, ...fee(schedule, priced[index], isAwaited)),
      element(
        "div",
        { class: "schedule-order" },
        button("up", t("schedule.up"), index === 0, () => swap(index, index - 1)),
        button("down", t("schedule.down"), index === schedules.length - 1, () => swap(index, index + 1)),
        button("remove", t("schedule.remove"), false, () => set(schedules.toSpliced(index, 1))),
      ),
    );
  });
}

export const withMode = (schedule, mode) => ({
  ...schedule,
  mode,
  ...(isByPostcode({ mode }) && { nationwideMode: parcelOf(schedule) }),
});

/**
 * The next schedule: it has a new id, and a slot after those of the others.
 * @param {readonly Schedule[]} schedules
 * @returns {Schedule}
 */
export function nextSchedule(schedules) {
  const scheduleId = Math.max(0, ...schedules.map(({ scheduleId }) => scheduleId ?? 0)) + 1;
  return { scheduleId, mode: "REGULAR", dateTime: slotAfter(schedules.map(({ dateTime }) => dateTime)) };
}

/**
 * The open slots, and the slot that the order already has.
 * @param {Schedule} schedule
 */
function slots({ dateTime }) {
  const all = withSlot(openSlots(), dateTime);
  return [...(dateTime ? [] : [["", t("schedule.noSlot")]]), ...all.map((slot) => [slot, slotTime(slot)])];
}

/**
 * Also says when no surcharge is due, because moving a schedule changes that. The surcharge is known with the fee.
 * @param {Schedule} schedule
 * @param {import("order-cost").BasketShipping["scheduleList"][number] | undefined} priced
 * @param {boolean} isAwaited
 */
function fee(schedule, priced, isAwaited) {
  const { deliveryFee = null, expressFee = 0 } = priced ?? {};
  const surcharge = expressFee > 0 ? "schedule.surcharge" : "schedule.noSurcharge";
  return [
    element("strong", {}, deliveryFee === null && isAwaited ? "…" : known(deliveryFee)),
    deliveryFee !== null && hasSurcharge(schedule) && element("span", { class: "note" }, t(surcharge, { amount: money(expressFee) })),
  ];
}

function choice(label, focus, value, options, set) {
  const select = element(
    "select",
    { "data-focus": focus, change: () => set(select.value) },
    ...options.map(([option, text]) => element("option", { value: option, selected: option === value }, text)),
  );
  return element("label", { class: "field" }, element("span", {}, label), element("span", { class: "select" }, select));
}
