// Pricers by their options and zones. The facts are each order's own.
import { Failure } from "../failure.js";
import { readText } from "../input.js";

/** The most pricers at once: each holds its zones. */
const MOST_PRICERS = 16;

export class Pricers {
  #createPricer;
  #pricers = new Map();

  constructor({ createPricer }) {
    this.#createPricer = createPricer;
  }

  /**
   * The pricer asks the host that is the context of each call.
   * @param {{ policy: object, limits: object, zones?: string | { text: string } }} options `zones`: the file of captured
   *   ones, or new ones
   * @param {string} place of the capture, for messages
   */
  async get({ policy, limits, zones }, place) {
    const key = JSON.stringify([typeof zones === "string" ? zones : zones !== undefined, policy, limits]);
    const known = this.#pricers.get(key);
    if (known) return known;
    if (this.#pricers.size === MOST_PRICERS) this.#pricers.delete(this.#pricers.keys().next().value);
    const deliveryZones = typeof zones === "string" ? await readText(zones) : zones?.text;
    const pricer = await this.#create({ deadlineMs: 0, policy, limits, ...(deliveryZones && { deliveryZones }) }, place);
    this.#pricers.set(key, pricer);
    return pricer;
  }

  async #create(options, place) {
    try {
      return await this.#createPricer(CONTEXT_HOST, options);
    } catch (error) {
      throw new Failure(`${place}: ${error.message}`);
    }
  }
}

/** Hands each call to the host of its order. */
export const CONTEXT_HOST = Object.fromEntries(
  ["lookupPrices", "nationwideRate", "validateCoupons", "lookupVouchers"].map((name) => [
    name,
    (argument, ctx) => ctx.context[name](argument, ctx),
  ]),
);
