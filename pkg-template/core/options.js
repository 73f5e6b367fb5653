// Checks the options of the package: a misspelt policy would change money in silence (D47).
import { LOOK_UPS } from "../order-fields.js";
import { areNear, isObject, misspeltFault, unknownFault } from "../shared/index.js";
import { Refusal } from "./error.js";
import { hides, notPlain } from "./plain.js";

/** How an order's values are read (D49), the default first. */
export const INPUTS = ["strict", "lenient"];

/**
 * The refusal of an option.
 * @param {string} path
 * @param {string} fault what is wrong with it
 */
export const invalidOption = (path, fault) =>
  new Refusal({ code: "VALIDATION_ERROR", message: `Invalid options: ${path}: ${fault}`, path, retryable: false });

/**
 * Throws if an object of options has an unknown key, or hides a known one, or if the options are none. What is no object at a
 * `place` has its own refusal, and `orders.map(pricer.calculate)` gives a number as options.
 *
 * @param {unknown} options
 * @param {readonly string[]} known
 * @param {string} [place] the path of the object, with a dot at its end
 */
export function refuseUnknown(options, known, place = "") {
  const isIgnored = options === undefined || options === null || typeof options === "number" || place !== "";
  if (!isObject(options) && isIgnored) return;
  const isOther = !isObject(options) || typeof options.toJSON === "function"; // a fact store, say, in place of `{ facts }`
  if (isOther || hides(options, () => known)) throw notPlain("options", place.slice(0, -1));
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw invalidOption(`${place}${key}`, unknownFault(key, known));
  }
}

const HOST_FUNCTIONS = Object.keys(LOOK_UPS);

/**
 * Throws if a host has none of its functions, and a member whose name is nearly that of one.
 * @param {unknown} host
 */
export function refuseMisspeltHost(host) {
  // A getter is not read before its call (D41).
  if (isObject(host) && !HOST_FUNCTIONS.some((name) => name in host)) refuseNearly(host, HOST_FUNCTIONS, "host.");
}

/**
 * Throws if a member's name is nearly one of these, but none of them.
 * @param {object} object
 * @param {readonly string[]} names
 * @param {string} [place] the path of the object, with a dot at its end
 */
export function refuseNearly(object, names, place = "") {
  for (const key of Object.keys(object)) {
    const meant = names.find((name) => areNear(name.toLowerCase(), key.toLowerCase()));
    if (meant !== undefined && meant !== key) throw invalidOption(`${place}${key}`, misspeltFault(meant));
  }
}
