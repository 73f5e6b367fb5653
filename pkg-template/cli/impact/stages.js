// One order, priced step by step: as it was captured, by this package, with the new policy, zones and prices.
import { hostFromFacts } from "order-cost/testing";
import { lending } from "../../core/index.js";
import { CapturedAnswer, PricedAnswer } from "./answer.js";
import { couponsOf, isOther } from "./coupons.js";

/** What is replaced, in this sequence. */
export const CAUSES = ["package", "policy", "zones", "prices"];

/**
 * @typedef {import("./new-catalogue.js").Version} Version
 * @typedef {PricedAnswer | { total: undefined, bytes?: undefined, failure: { code: string, message: string } }} Priced what a
 *   stage comes to
 */

export class Stages {
  #pricers;
  #change;
  #version;
  #zones;
  #room = new Room();

  /**
   * @param {import("../repricing/pricers.js").Pricers} pricers
   * @param {Pick<import("./change.js").Change, "policy" | "zones">} change what is new, of the captured policy and zones
   * @param {import("../files/captured-zones.js").CapturedZones} zones
   * @param {Version} [version] what has the new prices
   */
  constructor(pricers, change, zones, version) {
    this.#pricers = pricers;
    this.#change = change;
    this.#zones = zones;
    this.#version = version;
  }

  /**
   * What was captured of an order, and what it comes to after each of CAUSES. A stage whose input is the same has the result of
   * the stage before. `answer` is that of the last stage, valid until the next order; undefined if it failed. `asksAnew`: it
   * would have asked the coupon service another question.
   *
   * @param {string} file of the capture
   * @param {import("./capture-scan.js").Capture & { place: string }} capture
   * @returns {Promise<{ captured: CapturedAnswer, stages: Priced[], asksAnew: boolean }>}
   */
  async run(file, capture) {
    const { policy: newPolicy, zones: newZones } = this.#change;
    const zones = capture.zones === null ? undefined : await this.#zones.file(file, capture.zones);
    const coupons = /** @type {any} */ (couponsOf(capture.facts.coupons));
    const host = hostFromFacts({ ...capture.facts, coupons });
    const asItWas = { policy: capture.policy, limits: capture.limits, zones };
    const first = await this.#price(capture, asItWas, host);
    const captured = new CapturedAnswer(capture.body, capture.status, first);
    const asked = questionOf(host);
    const governed = { ...asItWas, policy: { ...asItWas.policy, ...newPolicy } };
    const second = changes(asItWas.policy, newPolicy) ? await this.#price(capture, governed, host) : first;
    const zoned = newZones && newZones.hash !== capture.zones ? { ...governed, zones: newZones } : governed;
    const third = zoned === governed ? second : await this.#price(capture, zoned, host);
    const fourth = this.#version ? await this.#price(capture, zoned, hostOfVersion(host, this.#version)) : third;
    return { captured, stages: [first, second, third, fourth], asksAnew: isOther(capture.facts.coupons, asked, questionOf(host)) };
  }

  /** @returns {Promise<Priced>} */
  async #price({ request, requestId, place }, options, host) {
    const pricer = await this.#pricers.get(options, place);
    try {
      const call = { requestId, context: host };
      return new PricedAnswer(await pricer.calculateJson[lending].call(pricer, request, call, (view) => this.#room.copy(view)));
    } catch (error) {
      await host.reading; // a catalogue that fails is no failure of the order
      const failure = /** @type {import("order-cost").PricingError} */ (error);
      if (failure.code === undefined || typeof failure.toJSON !== "function") throw error;
      return { total: undefined, failure: { code: failure.code, message: failure.message } };
    }
  }
}

/**
 * The host of an order, with the prices of a version: `Pricers` finds them at hand, or asks for them.
 * @param {object} host
 * @param {Version} version
 */
function hostOfVersion(host, { lookupPrices, atHand }) {
  const own = {
    ...host,
    atHand,
    reading: /** @type {Promise<unknown> | undefined} */ (undefined),
    lookupPrices: (keys) => (own.reading = lookupPrices(keys)),
  };
  return own;
}

/** Holds an answer until the next one: a buffer for each would be more garbage than the answers are worth. */
class Room {
  #bytes = Buffer.alloc(2 ** 14);

  copy(view) {
    if (view.length > this.#bytes.length) this.#bytes = Buffer.alloc(2 * view.length);
    this.#bytes.set(view);
    return this.#bytes.subarray(0, view.length);
  }
}

/** What the coupon service was asked last. */
const questionOf = ({ calls }) => calls.findLast(({ name }) => name === "validateCoupons")?.argument;

/** Whether a captured policy says something else than the new one. */
const changes = (policy, newPolicy = {}) => Object.entries(newPolicy).some(([name, value]) => policy[name] !== value);
