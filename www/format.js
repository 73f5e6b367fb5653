// Numbers arrive as their JSON text, which Intl formats with every digit (D14: up to 28 of them after the point).

const PLACES = 28;
const EXACT = { maximumFractionDigits: PLACES };
const BAHT = { style: "currency", currency: "THB", currencyDisplay: "narrowSymbol", minimumFractionDigits: 2 };

const formatter = (options) => {
  const format = new Intl.NumberFormat("en", { ...EXACT, ...options });
  return (text) => format.format(text).replace("-", "−");
};

export const money = formatter(BAHT);
export const count = formatter({});
export const percent = formatter({ style: "percent" });
export const weight = formatter({ style: "unit", unit: "kilogram" });

const allPlaces = formatter({ minimumFractionDigits: PLACES, useGrouping: false });

/** An amount to add up and compare: how many units of its last possible place it is. */
export const exact = (text) => BigInt(allPlaces(text).replace(".", "").replace("−", "-"));

/** An amount that is taken off. */
export const off = (text) => `−${money(text)}`;

const duration = new Intl.NumberFormat("en", { maximumSignificantDigits: 2, style: "unit", unit: "millisecond" });
export const milliseconds = (number) => duration.format(number);

const slot = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Bangkok" });

/** The time of a delivery slot, in Bangkok. Nobody checks it (D11): what is no date is shown as it is. */
export function dateTime(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : slot.format(date);
}
