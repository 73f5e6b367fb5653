// The facts of a capture: what the host answered, by key.
import { objectOf, read, TooMuch, textIn } from "./exact.js";
import { COUPONS, PRICE, RATE, VOUCHER } from "./tables.js";

/** Of another customer's voucher the pricer needs only that it is not the order's owner's (D30). */
const FOREIGN = read('{"ownerId":null,"value":0,"isActive":false,"isUsed":false}');

/**
 * Facts as `recordingHost` notes them.
 * @typedef {object} RecordedFacts
 * @property {Record<string, string | null>} [prices]
 * @property {Record<string, string | null>} [vouchers]
 * @property {Record<string, string | null>} [rates]
 * @property {{ answer: string }[]} [coupons]
 */

/** @param {RecordedFacts} facts */
export function readFacts({ prices = {}, vouchers = {}, rates = {}, coupons = [] }) {
  const table = (records) => Object.entries(records).flatMap(([key, record]) => recordIn(record).map((value) => [key, value]));
  return {
    prices: table(prices),
    vouchers: table(vouchers),
    rates: table(rates),
    // An order asks once.
    coupons: coupons.length > 0 ? read(coupons[0].answer) : undefined,
  };
}

/** None for what is no JSON: with a record that the pricer reads, the order could not be priced again. */
function recordIn(record) {
  try {
    return [record === null ? null : read(record)];
  } catch (error) {
    if (error instanceof TooMuch) throw error;
    return [];
  }
}

/** The branches that have a price. */
export const branchesIn = ({ prices }) => prices.filter(([, record]) => record !== null).map(([key]) => branchOf(key));

/**
 * Whether each voucher is another customer's, by id.
 * @param {ReturnType<typeof readFacts>} facts
 * @param {string | undefined} ownerId the order's
 */
export function foreignIn({ vouchers }, ownerId) {
  const isOwn = (record) => ownerId !== undefined && ownerId !== "" && textIn(record, "ownerId") === ownerId;
  return new Map(vouchers.filter(([, record]) => record !== null).map(([id, record]) => [id, !isOwn(record)]));
}

/**
 * @param {ReturnType<typeof readFacts>} facts
 * @param {import("./redactor.js").Redactor} redactor
 * @param {import("./stand-ins.js").StandIns} standIns
 * @param {Map<string, boolean>} foreign
 */
export function redactFacts({ prices, vouchers, rates, coupons }, redactor, standIns, foreign) {
  const dropping = { drops: true };
  const list = (records, nameOf, redacted) => records.map(([key, record]) => [nameOf(key), record && redacted(record, key)]);
  const tables = {
    prices: list(
      prices,
      (key) => `${key.slice(0, key.indexOf("/"))}/${standIns.branch(branchOf(key))}`,
      (record) => redactor.redact(record, PRICE, dropping),
    ),
    vouchers: list(
      vouchers,
      (id) => standIns.id(id),
      (record, id) => (foreign.get(id) ? FOREIGN : redactor.redact(record, VOUCHER)),
    ),
    rates: list(
      rates,
      (key) => rateKey(key, standIns),
      (record) => redactor.redact(record, RATE, dropping),
    ),
  };
  const asked = Object.entries(tables).flatMap(([name, records]) => (records.length > 0 ? [[name, objectOf(records)]] : []));
  return objectOf(coupons === undefined ? asked : [...asked, ["coupons", redactor.redact(coupons, COUPONS, dropping)]]);
}

const branchOf = (key) => key.slice(key.indexOf("/") + 1);

function rateKey(key, standIns) {
  const slash = key.lastIndexOf("/");
  return `${standIns.postcode(key.slice(0, slash))}${key.slice(slash)}`;
}
