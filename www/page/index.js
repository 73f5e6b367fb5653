// The whole page: its language, its theme, what it remembers.
export { coordinate, count, exactly, known, longDate, measured, money, percent, priceTag, signed, slotTime, weight } from "./format.js";
export { currentLanguage, customersWords, nameOf, startLanguage, stepWords, t, zoneName } from "./language.js";
export { recall, remember } from "./memory.js";
export { keepForOffline } from "./offline.js";
export { showTheme, startTheme } from "./theme.js";
