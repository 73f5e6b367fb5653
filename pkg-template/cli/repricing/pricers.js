// Pricers by their options and zones. The facts are each order's own.
import { LOOK_UPS } from "../../order-fields.js";
import { askingVersion } from "../../shared/index.js";
import { Broken, Failure, readText, sentence } from "../files/index.js";

/** The most pricers at once: each holds its zones. */
const MOST_PRICERS = 16;

/**
 * @typedef {import("order-cost").Pricer} Pricer
 * @typedef {import("order-cost").PricerOptions} PricerOptions
 * @typedef {NonNullable<PricerOptions["policy"]>} Policy
 * @typedef {NonNullable<PricerOptions["limits"]>} Limits
 */

export class Pricers {
  /** @type {typeof import("order-cost").createPricer} */
  #createPricer;
  /** @type {Map<string, Pricer>} */
  #pricers = new Map();

  /** @param {Pick<typeof import("order-cost"), "createPricer">} orderCost */
  constructor({ createPricer }) {
    this.#createPricer = createPricer;
  }

  /**
   * The pricer asks the host that is the context of each call.
   * @param {{ policy: Policy, limits: Limits, zones?: string | { text: string } }} options `zones`: the file of captured ones, or
   *   new ones
   * @param {string} place of the capture, for messages
   */
  async get({ policy, limits, zones }, place) {
    const key = JSON.stringify([typeof zones === "string" ? zones : zones !== undefined, policy, limits]);
    const known = this.#pricers.get(key);
    if (known) return known;
    const [oldest] = this.#pricers.keys();
    if (this.#pricers.size === MOST_PRICERS) this.#pricers.delete(oldest);
    const deliveryZones = typeof zones === "string" ? await readText(zones) : zones?.text;
    const pricer = await this.#create({ deadlineMs: 0, policy, limits, ...(deliveryZones && { deliveryZones }) }, place);
    this.#pricers.set(key, pricer);
    return pricer;
  }

  /**
   * @param {PricerOptions} options
   * @param {string} place
   */
  async #create(options, place) {
    try {
      return await this.#createPricer(CONTEXT_HOST, options);
    } catch (error) {
      const { path = "" } = /** @type {import("order-cost").PricingError} */ (error);
      const Fault = /^(policy|limits)\b/.test(path) ? Broken : Failure;
      throw new Fault(`${place}: ${sentence(error)}`);
    }
  }
}

const handing = (name) => (argument, ctx) => ctx.context[name](argument, ctx);

/** Hands each call to the host of its order. Prices may be at hand: the host's `atHand` is the version that has them. */
export const CONTEXT_HOST = {
  ...Object.fromEntries(Object.keys(LOOK_UPS).map((name) => [name, handing(name)])),
  lookupPrices: askingVersion(handing("lookupPrices"), ({ atHand }) => atHand),
};
