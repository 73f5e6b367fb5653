// Prices captured orders as they were, by this package, each from its own facts.
import { hostFromFacts } from "order-cost/testing";
import { explainJson } from "../../core/index.js";
import { LOOK_UPS } from "../../order-fields.js";
import { entriesOf } from "../../shared/index.js";
import { CapturedZones } from "../files/index.js";
import { Pricers } from "./pricers.js";

/**
 * @typedef {import("order-cost").Pricer} Pricer
 * @typedef {import("order-cost").PriceOptions} PriceOptions
 * @typedef {import("../files/capture-files.js").Capture} Capture
 *
 * @typedef {object} Priced
 * @property {number} status as in HTTP
 * @property {string} text the answer
 * @property {ReturnType<typeof hostFromFacts>["calls"]} calls those that it was priced from, or that failed
 * @property {string} [steps] their text, where they were asked for
 * @property {import("order-cost").PricingError} [error] what it failed with
 */

export class Repricer {
  /** @type {typeof import("order-cost")} */
  #package;
  /** @type {Pricers} */
  #pricers;
  #zones;

  /**
   * @param {typeof import("order-cost")} orderCost
   * @param {CapturedZones} zones
   */
  constructor(orderCost, zones) {
    this.#package = orderCost;
    this.#pricers = new Pricers(orderCost);
    this.#zones = zones;
  }

  /**
   * Prices a captured order.
   * @param {string} file
   * @param {Capture} capture
   */
  async price(file, capture) {
    return this.#run(file, capture, async (pricer, body, call) => ({ text: `${Buffer.from(await pricer.calculateJson(body, call))}` }));
  }

  /**
   * The same with its steps.
   * @param {string} file
   * @param {Capture} capture
   */
  async explain(file, capture) {
    return this.#run(file, capture, async (pricer, body, call) => {
      const explained = await pricer[explainJson](body, call);
      const { order, steps } = Object.fromEntries(entriesOf(`${Buffer.from(explained)}`));
      return { text: order, steps };
    });
  }

  /**
   * @param {string} file
   * @param {Capture} capture
   * @param {(pricer: Pricer, body: string, call: PriceOptions) => Promise<Pick<Priced, "text" | "steps">>} work
   * @returns {Promise<Priced>}
   */
  async #run(file, capture, work) {
    const pricer = await this.#pricers.get(await this.#optionsOf(file, capture), capture.place);
    const body = capture.request.startsWith('"') ? JSON.parse(capture.request) : capture.request;
    const host = hostFromFacts(capture.facts);
    try {
      return { status: 200, ...(await work(pricer, body, { requestId: capture.requestId, context: host })), calls: host.calls };
    } catch (error) {
      if (!(error instanceof this.#package.PricingError)) throw error;
      const calls = host.calls.filter(({ name }) => isAbout(name, error.code));
      return { status: 500, text: JSON.stringify(error), calls, error };
    }
  }

  /**
   * @param {string} file
   * @param {Capture} capture
   */
  async #optionsOf(file, { zones, policy = "{}", limits = "{}" }) {
    return {
      policy: JSON.parse(policy) ?? {},
      limits: JSON.parse(limits) ?? {},
      zones: zones === null ? undefined : await this.#zones.file(file, zones),
    };
  }
}

/** Whether a failure is about this look-up: answers to the others came too late to be recorded. */
function isAbout(name, code) {
  const { failed, notFound } = LOOK_UPS[name];
  return code === failed || code === notFound;
}
