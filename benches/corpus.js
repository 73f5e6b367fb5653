// The golden corpus, as far as it is about pricing, held against the competitors.
import { hostFor, optionsFor } from "../tests/golden/host.js";
import { bodyBytes } from "../tests/model/body.js";
import { close } from "./suite.js";

/**
 * In scope are the cases that are priced and whose response JSON.parse and JSON.stringify can carry (the corpus says
 * which: `expect.response`, not `responseText`), and of those the ones whose amounts the arithmetic's format holds.
 * What is refused, and texts that only an own reader keeps, is not what the competitors are measured for.
 */
export function isInScope({ expect, host }, formats) {
  return expect.response !== undefined && holds(formats, host) && holds(formats, expect.response);
}

/** The names of amounts that are no money. */
const KINDS = {
  weight: "weight",
  totalWeight: "weight",
  percentageDiscount: "share",
};

/** What never is an amount, or not one that is worked with. */
const NO_AMOUNTS = new Set(["shippingLat", "shippingLon", "orderDate", "shippingDate", "pickingStatus", "date_slot"]);

function holds(formats, value, key = "") {
  if (typeof value === "string") return !/^[[{]/.test(value) || holds(formats, parsed(value));
  if (typeof value === "number") return fits(value, formats[KINDS[key] ?? "money"]);
  if (typeof value !== "object" || value === null || NO_AMOUNTS.has(key)) return true;
  return Object.entries(value).every(([name, inner]) => NO_AMOUNTS.has(name) || holds(formats, inner, name));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fits(number, places) {
  return (
    places === Infinity ||
    (Number.isSafeInteger(Math.round(number * 10 ** places)) && Number(number.toFixed(places)) === number)
  );
}

/** Throws unless the competitor prices the case as the corpus says: floats within half a satang, the others to the byte. */
export async function passes({ name, createPricer }, testCase) {
  const { host } = hostFor(testCase);
  const response = await createPricer(host, optionsFor(testCase)).calculateJson(bodyBytes(testCase));
  const text = new TextDecoder().decode(response);
  const expected = JSON.stringify(testCase.expect.response);
  if (name === "floats") close(name, expected, text);
  else if (text !== expected) throw new Error(`${name} gives ${text}, expected ${expected}`);
}
