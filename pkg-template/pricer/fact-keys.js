// The names of facts and the forms of their keys: what has another one would never be found.
import { LOOK_UPS, WORDS } from "../order-fields.js";

/** The parts of `Facts`. */
const NAMES = Object.values(LOOK_UPS).flatMap(({ part }) => (part === "rates" ? [part, "at"] : part));

/** The look-ups that are asked for ids. */
export const BY_ID = Object.entries(LOOK_UPS).filter(([, { id }]) => id);

/** The parts that are tables of records by key, in which one may not be found. */
export const FACT_TABLES = Object.values(LOOK_UPS).flatMap(({ part, notFound }) => (notFound ? part : []));

/** The keys of tables. A host of facts also has prices of all branches, and rates of all postcodes. */
const FORMS = {
  prices: {
    isOne: (key) => /^(?:0|-?[1-9]\d*)(?:\/.*)?$/s.test(key),
    expected: () => "a product such as 1001, or one of a branch such as 1001/1000",
  },
  rates: {
    isOne: (key) => WORDS.NationwideMode.includes(key.slice(key.lastIndexOf("/") + 1)),
    expected: () => `one of ${WORDS.NationwideMode.join(", ")}, or one of a postcode such as 10110/DRY`,
  },
};

/** What is wrong with the name of a part; undefined if nothing is. A file of facts may have zones, too. */
export function nameFault(name) {
  return NAMES.includes(name) || name === "deliveryZones" ? undefined : `unknown; facts are ${NAMES.join(", ")}`;
}

/** What is wrong with a key of a table; undefined if nothing is. */
export function keyFault(table, key) {
  const form = FORMS[table];
  return form && !form.isOne(key) ? `expected ${form.expected()}` : undefined;
}
