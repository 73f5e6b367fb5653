// Compares what was answered when an order was captured with what this package answers.
import { priceKey, rateKey } from "../../core/index.js";
import { LOOK_UPS } from "../../order-fields.js";
import { member, numberValue, readExact } from "../../shared/index.js";
import { beginsAsFailure, comparePair } from "../comparison/index.js";
import { reasonNamed } from "../explain/index.js";

/**
 * Compares the captured answer, left, with this version's, right. A status counts if it was captured.
 * @param {import("../files/capture-files.js").Capture} captured
 * @param {import("./reprice.js").Priced} priced
 * @param {string} [matchRows]
 * @returns {import("../comparison/compare-pair.js").Comparison}
 */
export function compareCapture(captured, priced, matchRows) {
  const known = () => ({ isRightOurs: true, recordOf: recordsOf(captured, priced.text), lacksFacts: lacksFacts(captured, priced) });
  const statuses = captured.status === undefined ? [] : [captured.status, priced.status];
  const comparison = comparePair(captured.body, priced.text, { matchRows, known, statuses });
  if (statuses[0] === statuses[1] || comparison.differences.some(({ kind }) => kind === "failed")) return comparison;
  const why = { reasons: [reasonNamed("errorStatus")], roots: [] }; // both failed
  const status = {
    path: "status",
    field: "status",
    kind: "value",
    left: numberValue(captured.status),
    right: numberValue(priced.status),
    ...why,
  };
  return { ...comparison, differences: [status, ...comparison.differences] };
}

/** Whether the captured order failed, and this version asked for something that the facts do not hold. */
function lacksFacts({ body, facts }, { calls }) {
  const holds = {
    lookupPrices: (keys) => keys.every((key) => has(facts.prices, priceKey(key), `${key.cprcode}`)),
    nationwideRate: (query) => has(facts.rates, rateKey(query), query.nationwideMode),
    validateCoupons: () => facts.coupons !== undefined && facts.coupons.length > 0,
  };
  const holdsIds = (name) => (ids) => ids.every((id) => has(facts[LOOK_UPS[name].part], id));
  return beginsAsFailure(body) && calls.some(({ name, argument }) => !(holds[name] ?? holdsIds(name))(argument));
}

const has = (table = {}, ...keys) => keys.some((key) => Object.hasOwn(table, key));

/** Returns a function that finds the price record of a row in the facts. */
function recordsOf({ facts }, text) {
  const branch = JSON.parse(text).branchId;
  return (row) => {
    const code = `${member(row, "cprcode")}`.slice(1);
    const record = facts.prices[`${code}/${branch}`] ?? facts.prices[code];
    return record === undefined ? undefined : readExact(record);
  };
}
