import { element } from "../dom/index.js";
import { currentLanguage } from "./language.js";

const LOCALES = { en: "en-GB", th: "th-TH" };
const BANGKOK = "Asia/Bangkok";
const formats = new Map();

/** A formatter is slow to create, so each is created once per language. */
function format(kind, make) {
  const key = `${kind} ${currentLanguage()}`;
  if (!formats.has(key)) formats.set(key, make(LOCALES[currentLanguage()]));
  return formats.get(key);
}

const number = (kind, options) => (value) =>
  format(kind, (locale) => new Intl.NumberFormat(locale, options))
    .format(value)
    .replace("-", "−");

/** To the satang, which is what a customer pays. "Request and response" shows every decimal place. */
export const money = number("money", { style: "currency", currency: "THB", currencyDisplay: "narrowSymbol" });
/** Every decimal place of an amount; its text keeps them all. */
export const exactly = number("exactly", { minimumFractionDigits: 2, maximumFractionDigits: 20 });
export const count = number("count", {});
export const percent = number("percent", { style: "percent", maximumFractionDigits: 2 });
export const weight = number("weight", { style: "unit", unit: "kilogram", maximumFractionDigits: 3 });
export const measured = number("measured", { maximumSignificantDigits: 3 });
export const coordinate = number("coordinate", { minimumFractionDigits: 4, maximumFractionDigits: 4 });

/** A signed amount, as it is added to a total. */
export const signed = (amount) => (amount > 0 ? `+${money(amount)}` : money(amount));

/** An amount that may not be known yet. */
export const known = (amount) => (amount === null ? "—" : money(amount));

/** An amount as on a price tag, with small satang. */
export function priceTag(amount) {
  const text = known(amount);
  if (amount === null) return element("span", { class: "price" }, text);
  const point = text.lastIndexOf(".");
  return element("span", { class: "price" }, text.slice(0, point), element("small", {}, text.slice(point)));
}

const date = (kind, options) => (value) =>
  format(kind, (locale) => new Intl.DateTimeFormat(locale, { timeZone: BANGKOK, ...options })).format(value);

const day = date("day", { weekday: "short", day: "numeric", month: "short" });
const time = date("time", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
export const longDate = date("long", { dateStyle: "long" });

/** A day with its time, in Bangkok. */
const moment = (at) => `${day(at)} · ${time(at)}`;

/**
 * The time of a delivery slot, in Bangkok. `dateTime` is unchecked (D11): a text that is not a date is shown unchanged.
 */
export function slotTime(text) {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : moment(at);
}
