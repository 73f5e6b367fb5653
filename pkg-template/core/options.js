// Checks the options of the package: a misspelt policy would change money in silence (D47).
import { LOOK_UPS } from "../order-fields.js";
import { isObject } from "../shared/index.js";
import { Refusal } from "./error.js";
import { hides, notPlain } from "./plain.js";

/** How an order's values are read (D49), the default first. */
export const INPUTS = ["strict", "lenient"];

/** A name with more wrong letters is nobody's business but its owner's. */
const MOST_SLIPS = 2;

/**
 * The refusal of an option.
 * @param {string} path
 * @param {string} fault what is wrong with it
 */
export const invalidOption = (path, fault) =>
  new Refusal({ code: "VALIDATION_ERROR", message: `Invalid options: ${path}: ${fault}`, path, retryable: false });

/**
 * Throws if an object of options has an unknown key, or hides a known one. What is no object has its own refusal.
 *
 * @param {unknown} options
 * @param {readonly string[]} known
 * @param {string} [place] the path of the object, with a dot at its end
 */
export function refuseUnknown(options, known, place = "") {
  if (!isObject(options)) return;
  if (hides(options, () => known)) throw notPlain("options", place.slice(0, -1));
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw unknownOption(`${place}${key}`, nearest(key, known).name);
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
    const { name, slips } = nearest(key, names);
    if (key !== name && slips <= MOST_SLIPS) throw unknownOption(`${place}${key}`, name);
  }
}

const unknownOption = (path, meant) => invalidOption(path, `unknown, did you mean ${meant}`);

/**
 * The known name that takes the fewest slips to become `key`. Case does not count.
 * @param {string} key
 * @param {readonly string[]} known
 */
function nearest(key, known) {
  const byName = known.map((name) => ({ name, slips: slipsBetween(key.toLowerCase(), name.toLowerCase()) }));
  return byName.reduce((best, other) => (other.slips < best.slips ? other : best));
}

/**
 * Whether the name may be a slip of the keyboard or of memory for the known one.
 * @param {string} known
 * @param {string} name
 */
export const areNear = (known, name) =>
  // Most names differ more in length: a service on Kubernetes compares hundreds as it starts.
  Math.abs(known.length - name.length) <= MOST_SLIPS && slipsBetween(known, name) <= MOST_SLIPS;

/** How many letters are missing, superfluous or wrong (Levenshtein). */
function slipsBetween(left, right) {
  const row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (const letter of left) {
    let replaced = row[0];
    row[0] += 1;
    for (let place = 0; place < right.length; place += 1) {
      const kept = letter === right[place] ? replaced : replaced + 1;
      replaced = row[place + 1];
      row[place + 1] = Math.min(kept, replaced + 1, row[place] + 1);
    }
  }
  return row[right.length];
}
