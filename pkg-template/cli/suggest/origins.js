// What the orders of a comparison were priced from: captures hold it, answers show it.
import { differencesFrom } from "../comparison/index.js";
import { chosenIn, combinations } from "./policies.js";
import { isPriced, ownSettlements, REBUILT_BY, rebuilt, rebuiltZones } from "./rebuild.js";
import { remembered } from "./remembered.js";

/**
 * @typedef {{ request: string, facts: object, zones?: string }} Order
 * @typedef {object} Pair
 * @property {string} right an answer of this package
 * @property {Order} [captured] without its zones
 * @property {object} [policy] of a captured order
 */

/** A function that tells whether an order gives the answer again by a policy. */
function givingAgain(pricers, answer) {
  const differences = differencesFrom(answer);
  const isSame = remembered((again) => again === answer || differences(again).length === 0);
  return async (order, policy) => isSame(await pricers.answer(order, policy));
}

/** The order of a capture. The coupon service is asked for other totals under another policy: it answers as it did. */
export function capturedOrder({ request, facts: { coupons, ...facts } }) {
  return { request, facts: { ...facts, coupons: Array.isArray(coupons) ? coupons.at(-1)?.answer : coupons } };
}

/** Captured orders: each with its facts and its policy. */
export class CapturedOrders {
  #pricers;
  #policies = new Map();

  constructor(pricers) {
    this.#pricers = pricers;
  }

  /** @param {Pair} pair one of the comparison */
  see({ policy }) {
    this.#policies.set(JSON.stringify(policy), policy);
  }

  /** The policy that all orders were priced by; none if there are several. */
  async policies() {
    return this.#policies.size === 1 ? [...this.#policies.values()] : [];
  }

  /** @returns {Promise<Order[]>} the order; none if it cannot be priced again */
  async orders({ right, captured, policy }) {
    if (!isPriced(right)) return [];
    // The zones of a fee and a branch do what those of the shop did, and are small.
    const order = { ...captured, zones: rebuiltZones(right) };
    return (await givingAgain(this.#pricers, right)(order, policy)) ? [order] : [];
  }
}

/** Orders that are rebuilt from their answers, all of one policy, which the answers tell. */
export class AnsweredOrders {
  #pricers;
  /** The policies that give all answers again. */
  #policies = combinations();
  #own = new Set();

  constructor(pricers) {
    this.#pricers = pricers;
  }

  see({ right }) {
    for (const [key, amount] of ifPriced(right, ownSettlements)) this.#own.add(`${key} ${amount}`);
  }

  /** Those that the answers may have been made with, the fewest settings first. */
  async policies(sample) {
    for (const { right } of sample) {
      const ordersBy = this.#rebuilder(right);
      const fitting = [];
      for (const policy of this.#policies) if ((await ordersBy(policy)).length > 0) fitting.push(policy);
      if (fitting.length > 0) this.#policies = fitting;
    }
    this.#policies = withoutTwins(this.#policies.toSorted((a, b) => chosenIn(a).length - chosenIn(b).length));
    return this.#policies;
  }

  /** @returns {Promise<Order[]>} all that it may have been; none if it cannot be priced again */
  async orders({ right }) {
    const ordersBy = this.#rebuilder(right);
    const found = new Map();
    for (const policy of this.#policies) {
      for (const order of await ordersBy(policy)) found.set(JSON.stringify(order.facts), order);
    }
    return [...found.values()];
  }

  /** A function that rebuilds an answer's order by a policy: those that give the answer again. */
  #rebuilder(right) {
    const isOwn = (key, amount) => this.#own.has(`${key} ${amount}`);
    const gives = givingAgain(this.#pricers, right);
    const ofKind = remembered((policy) => ifPriced(right, () => rebuilt(right, { policy, isOwn })), kindOf);
    return async (policy) => {
      const orders = [];
      for (const order of ofKind(policy)) if (await gives(order, policy)) orders.push(order);
      return orders;
    };
  }
}

/** Of policies that rebuild every order alike, the first. */
function withoutTwins(policies) {
  const first = remembered((policy) => policy, kindOf);
  return [...new Set(policies.map(first))];
}

const kindOf = (policy) => REBUILT_BY.map((name) => policy[name]).join();

/** What is read of a priced order; nothing of an answer that is none, or lacks a field. */
function ifPriced(right, read) {
  try {
    return isPriced(right) ? read(right) : [];
  } catch {
    return [];
  }
}
