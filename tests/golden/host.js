import { hostFromFacts } from "order-cost/testing";
import { LOOKUP_CODES } from "../model/fault.js";

/**
 * The host of a case, for any runtime (it needs nothing of Node), and a record of its calls. `throws` throws at once,
 * `throwsValue` rejects: a pricer must handle both.
 * @param {{ host?: import("../model/price.js").CaseHost }} testCase
 */
export function hostFor({ host: { fails = {}, missing = [], ...facts } = {} }) {
  // A list in a case is a wrong answer; for hostFromFacts it would be a list of answers.
  const coupons = Array.isArray(facts.coupons) ? () => facts.coupons : facts.coupons;
  const answering = hostFromFacts(/** @type {import("order-cost").Facts} */ ({ ...facts, coupons }));
  const calls = [];
  const host = {};
  for (const name of Object.keys(LOOKUP_CODES)) {
    if (missing.includes(name)) continue;
    host[name] = (argument, context) => {
      calls.push({ name, argument });
      return fails[name] ? follow(fails[name]) : answering[name](argument, context);
    };
  }
  return { host, calls };
}

/** @param {import("../model/price.js").Failure} failure */
function follow({ throws, throwsValue, late, answers }) {
  if (throws !== undefined) throw new Error(throws);
  if (throwsValue !== undefined) return Promise.reject(throwsValue);
  return late ? new Promise(() => {}) : answers;
}

/** The options of createPricer for a case. */
export function optionsFor({ options, zones }) {
  return zones === undefined ? { ...options } : { ...options, deliveryZones: zones };
}
