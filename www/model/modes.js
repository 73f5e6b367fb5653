import { DEFAULTS, MODES } from "order-cost/internal";

/** @typedef {Pick<import("order-cost").ScheduleInput, "mode" | "nationwideMode">} Schedule */

export const modeOf = (/** @type {Schedule} */ { mode }) => mode ?? DEFAULTS.Schedule.mode;
export const parcelOf = (/** @type {Schedule} */ { nationwideMode }) => nationwideMode ?? DEFAULTS.Schedule.nationwideMode;

const termsOf = (/** @type {Schedule} */ schedule) => MODES[modeOf(schedule)];
export const isByZone = (schedule) => termsOf(schedule).source === "zone";
export const isByPostcode = (schedule) => termsOf(schedule).source === "nationwideRate";
export const hasSurcharge = (schedule) => termsOf(schedule).surcharge;
