// One order, priced step by step: as it was captured, by this package, with the new policy, zones and prices.
import { dirname } from "node:path";
import { hostFromFacts } from "order-cost/testing";
import { lending, priceKey } from "../../core/index.js";
import { zonesFile } from "../files/index.js";
import { Answer } from "./answer.js";
import { couponsOf, isOther } from "./coupons.js";

/** What is replaced, in this sequence. */
export const CAUSES = ["package", "policy", "zones", "prices"];

/**
 * @typedef {import("./new-catalogue.js").Version} Version
 * @typedef {import("./new-catalogue.js").PriceKeys} PriceKeys
 * @typedef {(keys: PriceKeys) => Awaited<ReturnType<Version["lookupPrices"]>>} KnownPrices
 */

export class Stages {
  #pricers;
  #change;
  #version;
  #rooms = CAUSES.map(() => new Room());
  /** The files of captured zones, by folder and hash. */
  #zones = new Map();

  /**
   * @param {import("../repricing/pricers.js").Pricers} pricers
   * @param {Pick<import("./change.js").Change, "policy" | "zones">} change what is new, of the captured policy and zones
   * @param {Version} [version] what has the new prices
   */
  constructor(pricers, change, version) {
    this.#pricers = pricers;
    this.#change = change;
    this.#version = version;
  }

  /**
   * The answers to an order, valid until the next one: what was captured, and one for each of CAUSES. A stage whose input is the same has the answer
   * of the stage before. `asksAnew`: it would have asked the coupon service another question.
   *
   * @param {string} file of the capture
   * @param {import("./capture-scan.js").Capture} capture
   * @returns {Promise<{ captured: Answer, answers: Answer[], asksAnew: boolean }>}
   */
  async run(file, capture) {
    const { policy: newPolicy, zones: newZones } = this.#change;
    const captured = new Answer(capture.body, capture.status);
    const zones = capture.zones === null ? undefined : await this.#zonesOf(file, capture.zones);
    const asItWas = { policy: capture.policy, limits: capture.limits, zones };
    const first = await this.#price(capture, asItWas, capture.facts.prices, 0);
    const governed = { ...asItWas, policy: { ...asItWas.policy, ...newPolicy } };
    const second = changes(asItWas.policy, newPolicy) ? await this.#price(capture, governed, capture.facts.prices, 1) : first;
    const zoned = newZones && newZones.hash !== capture.zones ? { ...governed, zones: newZones } : governed;
    const third = zoned === governed ? second : await this.#price(capture, zoned, capture.facts.prices, 2);
    const prices = this.#version && (await this.#newPrices(this.#version, capture, first.keys));
    const fourth = prices === undefined ? third : await this.#price(capture, zoned, prices, 3);
    const answers = [first, second, third, fourth].map(({ answer }) => (answer.equals(captured) ? captured : answer));
    return { captured, answers, asksAnew: isOther(capture.facts.coupons, first.question, fourth.question) };
  }

  async #price(capture, options, prices, stage) {
    const pricer = await this.#pricers.get(options, capture.place);
    const host = hostFromFacts({ ...capture.facts, prices, coupons: couponsOf(capture.facts.coupons) });
    const answer = await answerOf(pricer, capture, host, this.#rooms[stage]);
    return { answer, keys: argumentOf(host, "lookupPrices"), question: argumentOf(host, "validateCoupons") };
  }

  async #zonesOf(file, hash) {
    const key = `${dirname(file)} ${hash}`;
    if (!this.#zones.has(key)) this.#zones.set(key, await zonesFile(file, hash));
    return this.#zones.get(key);
  }

  /**
   * The new records of the products that the order asks for; undefined if none is new.
   * @param {Version} version
   * @param {import("./capture-scan.js").Capture} capture
   * @param {PriceKeys | undefined} keys
   */
  async #newPrices(version, { facts }, keys) {
    if (keys === undefined) return undefined;
    const records = await version.lookupPrices(keys);
    const lookup = /** @type {KnownPrices} */ (hostFromFacts(facts).lookupPrices); // it answers at once
    const before = lookup(keys);
    if (keys.every((_, index) => records[index] === (before[index] ?? null))) return undefined;
    return Object.fromEntries(keys.map((key, index) => [priceKey(key), records[index]]));
  }
}

async function answerOf(pricer, { request, requestId }, host, room) {
  try {
    const bytes = await pricer.calculateJson[lending].call(pricer, request, { requestId, context: host }, (view) => room.copy(view));
    return new Answer(bytes, 200);
  } catch (error) {
    const failure = /** @type {import("order-cost").PricingError} */ (error);
    if (failure.code === undefined || typeof failure.toJSON !== "function") throw error;
    return new Answer(Buffer.from(JSON.stringify(error)), 500, { code: failure.code, message: failure.message });
  }
}

/** Holds an answer until that of the next order: a buffer for each would be more garbage than the answers are worth. */
class Room {
  #bytes = Buffer.alloc(2 ** 14);

  copy(view) {
    if (view.length > this.#bytes.length) this.#bytes = Buffer.alloc(2 * view.length);
    this.#bytes.set(view);
    return this.#bytes.subarray(0, view.length);
  }
}

const argumentOf = ({ calls }, name) => calls.find((call) => call.name === name)?.argument;

/** Whether a captured policy says something else than the new one. */
const changes = (policy, newPolicy = {}) => Object.entries(newPolicy).some(([name, value]) => policy[name] !== value);
