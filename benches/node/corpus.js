// The pricing cases of the golden corpus, used to check the competitors.
import { hostFor, optionsFor } from "../../tests/golden/host.js";
import { bodyBytes } from "../../tests/model/body.js";
import { close } from "../orders/index.js";

/**
 * In scope are priced cases whose response survives JSON.parse and JSON.stringify (`expect.response`, not
 * `responseText`) and whose amounts fit the arithmetic's format. Refused orders, lenient ones, and texts that JSON.parse
 * does not keep are out of scope: the competitors are not measured for those.
 */
export function isInScope({ expect, host, options }, formats) {
  return expect.response !== undefined && options?.input !== "lenient" && holds(formats, host) && holds(formats, expect.response);
}

/** Amounts that are not money. */
const KINDS = {
  weight: "weight",
  totalWeight: "weight",
  percentageDiscount: "share",
};

/** Numbers that are not amounts, or that no rule calculates with. */
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
  return places === Infinity || (Number.isSafeInteger(Math.round(number * 10 ** places)) && Number(number.toFixed(places)) === number);
}

/** Throws unless the competitor's response equals the corpus: floats within half a satang, the others byte for byte. */
export async function passes({ name, createPricer }, testCase) {
  const { host } = hostFor(testCase);
  const response = await createPricer(host, optionsFor(testCase)).calculateJson(bodyBytes(testCase));
  const text = new TextDecoder().decode(response);
  const expected = JSON.stringify(testCase.expect.response);
  if (name === "floats") close(name, expected, text);
  else if (text !== expected) throw new Error(`${name} gives ${text}, expected ${expected}`);
}
