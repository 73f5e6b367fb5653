// What the host was asked for and the facts do not have.
import { entriesOf, LOOK_UPS } from "order-cost/internal";
import { laidOut } from "../parts/index.js";

/** What each function of the host answers, and an invented entry: its amount stands first. */
const ENTRIES = {
  lookupPrices: { word: "price", entryFor: () => ({ price: 100 }) },
  nationwideRate: { word: "rate", entryFor: () => ({ deliveryFee: 50 }) },
  lookupVouchers: {
    word: "voucher",
    entryFor: ({ ownerId }) => ({ value: 50, ...(ownerId && { ownerId }), isActive: true, isUsed: false }),
  },
};

/**
 * @typedef {object} Missing
 * @property {string} table of the facts
 * @property {string} key
 * @property {string} word what it is
 * @property {object} entry an invented one
 *
 * @param {import("../run/host.js").Question[]} questions
 * @param {string} order JSON
 * @returns {Missing[]}
 */
export function missingIn(questions, order) {
  return questions.flatMap(({ name, answers }) => {
    const keys = answers.filter(([, answer]) => answer === undefined).map(([key]) => key);
    if (keys.length === 0 || !Object.hasOwn(ENTRIES, name)) return [];
    const { entryFor, word } = ENTRIES[name];
    const entry = entryFor(JSON.parse(order));
    return keys.map((key) => ({ table: LOOK_UPS[name].part, word, key, entry }));
  });
}

/**
 * The facts with an entry for each; the rest keeps its characters.
 * @param {string} facts JSON of the right shape
 * @param {Missing[]} missing
 */
export function withMissing(facts, missing) {
  const members = new Map(entriesOf(facts));
  for (const table of new Set(missing.map((one) => one.table))) {
    /** @type {[string, string][]} */
    const added = missing.filter((one) => one.table === table).map(({ key, entry }) => [key, JSON.stringify(entry)]);
    members.set(table, objectOf(new Map([...entriesOf(members.get(table) ?? "{}"), ...added])));
  }
  return laidOut(objectOf(members));
}

const objectOf = (members) => `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
