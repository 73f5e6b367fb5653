// What the playground shows, as one value: it is what a link holds.
import { LIMITS, POLICIES } from "order-cost/internal";

/** An order or facts beyond this are not priced here. */
const MOST_BYTES = LIMITS.maxBodyBytes;

/**
 * @typedef {object} State
 * @property {string} order its text
 * @property {string} facts their text
 * @property {Record<string, string>} policy what differs from the defaults
 * @property {import("order-cost").PricerOptions["limits"]} [limits] of a captured order
 * @property {import("order-cost").PricerOptions["input"]} [input] how a captured order was read
 * @property {{ policy: Record<string, string>, facts?: string }} [other] what is compared; without facts: the same
 * @property {{ requestId: string, answered: string, noted: [string, string][] }} [captured] the answer to compare with
 */

/**
 * A state from elsewhere, or why it is none. Whether its limits and its input are right says the pricer (`taken` in run.js).
 * @param {unknown} value
 * @returns {State}
 */
export function stateFrom(value) {
  const { order, facts, policy = {}, limits, input, other, captured } = objectIn(value);
  return {
    order: textIn(order),
    facts: textIn(facts),
    policy: policyIn(policy),
    ...(limits !== undefined && { limits: objectIn(limits) }),
    ...(input !== undefined && { input: /** @type {State["input"]} */ (textIn(input)) }),
    ...(other !== undefined && { other: otherIn(objectIn(other)) }),
    ...(captured !== undefined && { captured: capturedIn(objectIn(captured)) }),
  };
}

/** @returns {State["other"]} */
function otherIn({ policy = {}, facts }) {
  return { policy: policyIn(policy), ...(facts !== undefined && { facts: textIn(facts) }) };
}

/** @returns {State["captured"]} */
function capturedIn({ requestId, answered, noted = [] }) {
  if (!Array.isArray(noted)) throw new TypeError("a list is missing");
  return { requestId: textIn(requestId), answered: textIn(answered), noted: noted.map((pair) => [textIn(pair?.[0]), textIn(pair?.[1])]) };
}

/** Policies that this version knows. Another one in a link would make another price: it is refused. */
function policyIn(policy) {
  for (const [name, value] of Object.entries(objectIn(policy))) {
    const known = Object.hasOwn(POLICIES, name) && POLICIES[name].values.includes(value);
    if (!known) throw new TypeError(`the policy ${name} is unknown`);
  }
  return policy;
}

function objectIn(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("an object is missing");
  return value;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function textIn(value) {
  if (typeof value !== "string") throw new TypeError("a text is missing");
  return value;
}

/**
 * Why a text is not priced here; undefined if it may be.
 * @param {"order" | "facts"} what
 * @param {string} text
 */
export function tooBig(what, text) {
  if (text.length <= MOST_BYTES / 3 || new TextEncoder().encode(text).length <= MOST_BYTES) return undefined;
  return `The ${what} ${what === "facts" ? "have" : "has"} more than ${MOST_BYTES.toLocaleString("en")} bytes, the most that this page prices.`;
}
