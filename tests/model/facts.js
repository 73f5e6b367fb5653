import { Fault, failedLookup, invalidAnswer, LOOKUP_CODES } from "./fault.js";
import { NotJson, readJson } from "./json.js";

/**
 * The answer of a case's host: its facts, unless the case makes the look-up fail or leaves it out. Throws the look-up's
 * Fault (D41).
 * @param {import("./price.js").Case} testCase
 */
export function ask({ host = {}, options = {} }, lookup, argument) {
  if (host.missing?.includes(lookup)) throw new Fault(LOOKUP_CODES[lookup], `The host does not supply ${lookup}`);
  const { throws, throwsValue, late, ...script } = host.fails?.[lookup] ?? {};
  if (throws !== undefined) throw failedLookup(lookup, throws || `${lookup} failed`);
  if (throwsValue !== undefined) throw failedLookup(lookup, (typeof throwsValue === "string" && throwsValue) || `${lookup} failed`);
  if (late) throw failedLookup(lookup, `${lookup} did not answer within ${options.deadlineMs ?? 5000} ms`);
  if (Object.hasOwn(script, "answers")) return script.answers;
  return FACTS[lookup](host, argument);
}

const FACTS = {
  lookupPrices({ prices = {} }, keys) {
    return keys.map(({ cprcode, branchId }) => own(prices, `${cprcode}/${branchId}`, own(prices, `${cprcode}`)));
  },
  nationwideRate({ rates = {} }, { nationwideMode }) {
    if (!Object.hasOwn(rates, nationwideMode)) throw failedLookup("nationwideRate", `No rate for ${nationwideMode}`);
    return rates[nationwideMode];
  },
  lookupVouchers({ vouchers = {} }, ids) {
    return ids.map((id) => own(vouchers, id));
  },
  validateCoupons({ coupons }, { couponCodeList }) {
    return coupons ?? { discounts: [], failedCoupons: couponCodeList, error: {} };
  },
};

function own(table, key, otherwise) {
  return Object.hasOwn(table, key) ? table[key] : otherwise;
}

/** The JSON of one answer: a string is its text, an absent answer is null (D44). `places` name it in a fault. */
export function readAnswer(answer, lookup, places = []) {
  try {
    return readJson(typeof answer === "string" ? answer : JSON.stringify(answer ?? null));
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw invalidAnswer(lookup, places, "expected JSON");
  }
}

/** The raw answers of a list look-up, one for each key. */
export function checkList(answers, keys, lookup) {
  if (!Array.isArray(answers) || answers.length !== keys.length) {
    throw invalidAnswer(lookup, [], `expected an array of ${keys.length}`);
  }
  return answers;
}
