// What the host was asked for and the facts do not have.
import { partsOf } from "../../model/json.js";
import { laidOut } from "./layout.js";

/** Where the facts keep what each function of the host answers, and an invented entry: its amount stands first. */
const TABLES = {
  lookupPrices: { table: "prices", word: "price", entry: () => ({ price: 100 }) },
  nationwideRate: { table: "rates", word: "rate", entry: () => ({ deliveryFee: 50 }) },
  lookupVouchers: { table: "vouchers", word: "voucher", entry: ({ ownerId }) => ({ value: 50, ...(ownerId && { ownerId }), isActive: true, isUsed: false }) },
};

/**
 * @typedef {object} Missing
 * @property {string} table of the facts
 * @property {string} key
 * @property {string} word what it is
 * @property {object} entry an invented one
 *
 * @param {import("./host.js").Question[]} questions
 * @param {string} order JSON
 * @returns {Missing[]}
 */
export function missingIn(questions, order) {
  return questions.flatMap(({ name, answers }) => {
    if (!Object.hasOwn(TABLES, name)) return [];
    const { entry, ...rest } = TABLES[name];
    return answers.filter(([, answer]) => answer === undefined).map(([key]) => ({ ...rest, key, entry: entry(JSON.parse(order)) }));
  });
}

/**
 * The facts with an entry for each; the rest keeps its characters.
 * @param {string} facts JSON of the right shape
 * @param {Missing[]} missing
 */
export function withMissing(facts, missing) {
  const members = new Map(partsOf(facts));
  for (const { table, key, entry } of missing) {
    const entries = new Map(partsOf(members.get(table) ?? "{}"));
    members.set(table, objectOf(entries.set(key, JSON.stringify(entry))));
  }
  return laidOut(objectOf(members));
}

const objectOf = (members) => `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
