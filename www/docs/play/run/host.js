// A host that answers from the facts, and keeps what it was asked and what it said.

import { entriesOf, LOOK_UPS, priceKey, rateKey } from "order-cost/internal";
import { hostFromFacts } from "order-cost/testing";
import { factsIn } from "../../../orders/index.js";

/**
 * @typedef {object} Question
 * @property {string} name of the host's function
 * @property {unknown} argument
 * @property {[asked: string, answered: string | undefined][]} answers what was asked for, each with its JSON; undefined: not found
 * @property {string} [failure] why there is no answer
 */

/**
 * @param {string} factsText JSON of the right shape
 * @returns {{ host: import("order-cost").Host, deliveryZones?: () => string, questions: Question[] }}
 */
export function askedHost(factsText) {
  /** @type {Question[]} */
  const questions = [];
  const host = hostFromFacts(factsIn(factsText));
  const asked = Object.fromEntries(Object.keys(LOOK_UPS).map((name) => [name, ask(name, KEYS[name] ?? ((ids) => ids))]));
  const zones = Object.fromEntries(entriesOf(factsText)).deliveryZones;
  return { host: asked, questions, ...(zones !== undefined && { deliveryZones }) };

  function ask(name, keysOf) {
    return (argument) => {
      const keys = keysOf(argument);
      /** @type {Question} */
      const question = { name, argument, answers: keys.map((key) => [key, undefined]) };
      questions.push(question);
      try {
        const answer = host[name](argument);
        const answers = Array.isArray(argument) ? answer : [answer];
        question.answers = keys.map((key, index) => [key, jsonOf(answers[index])]);
        return answer;
      } catch (error) {
        question.failure = /** @type {Error} */ (error).message;
        throw error;
      }
    };
  }

  function deliveryZones() {
    const { features } = JSON.parse(zones);
    const answer = Array.isArray(features) ? `${features.length} zones` : "no zones";
    questions.push({ name: "deliveryZones", argument: undefined, answers: [["all", answer]] });
    return zones;
  }
}

/** What each function is asked for, in words, if not for ids. */
const KEYS = {
  lookupPrices: (keys) => keys.map(priceKey),
  nationwideRate: (query) => [rateKey(query)],
  validateCoupons: ({ couponCodeList }) => [couponCodeList.join(", ")],
};

function jsonOf(answer) {
  if (answer === undefined || answer === null || answer === "null") return undefined;
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}
