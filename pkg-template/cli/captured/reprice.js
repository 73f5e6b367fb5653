// Prices captured orders as they were, by this package, each from its own facts.
import { hostFromFacts } from "order-cost/testing";
import { explainJson } from "../../internal.js";
import { zonesFile } from "../captures.js";
import { jsonParts } from "../json-parts.js";
import { Pricers } from "./pricers.js";

export class Repricer {
  #package;
  #pricers;

  constructor(orderCost) {
    this.#package = orderCost;
    this.#pricers = new Pricers(orderCost);
  }

  /** Prices a captured order: `{ status, text, calls }`, an error as in HTTP; `calls` are those that it was priced from, or that failed. */
  async price(file, capture) {
    return this.#run(file, capture, async (pricer, body, call) => ({ text: `${Buffer.from(await pricer.calculateJson(body, call))}` }));
  }

  /** The same with the text of its `steps`, or with the `error` that it failed with. */
  async explain(file, capture) {
    return this.#run(file, capture, async (pricer, body, call) => {
      const explained = await pricer.explain[explainJson].call(pricer, body, call);
      const { order, steps } = Object.fromEntries(jsonParts(`${Buffer.from(explained)}`));
      return { text: order, steps };
    });
  }

  async #run(file, capture, work) {
    const pricer = await this.#pricers.get(await optionsOf(file, capture), capture.place);
    const body = capture.request.startsWith('"') ? JSON.parse(capture.request) : capture.request;
    const host = hostFromFacts(capture.facts);
    try {
      return { status: 200, ...(await work(pricer, body, { requestId: capture.requestId, context: host })), calls: host.calls };
    } catch (error) {
      if (!(error instanceof this.#package.PricingError)) throw error;
      const calls = host.calls.filter(({ name }) => name === ASKED[error.code]);
      return { status: 500, text: JSON.stringify(error), calls, error };
    }
  }
}

async function optionsOf(file, { zones, policy = "{}", limits = "{}" }) {
  return {
    policy: JSON.parse(policy) ?? {},
    limits: JSON.parse(limits) ?? {},
    zones: zones === null ? undefined : await zonesFile(file, zones),
  };
}

/** The look-up that a failure is about: answers to the others came too late to be recorded. */
const ASKED = {
  PRODUCT_PRICE_NOT_FOUND: "lookupPrices",
  PRICE_LOOKUP_FAILED: "lookupPrices",
  NATIONWIDE_RATE_FAILED: "nationwideRate",
  NATIONWIDE_RATE_NOT_FOUND: "nationwideRate",
  VOUCHER_NOT_FOUND: "lookupVouchers",
  VOUCHER_LOOKUP_FAILED: "lookupVouchers",
  COUPON_SERVICE_FAILED: "validateCoupons",
};
