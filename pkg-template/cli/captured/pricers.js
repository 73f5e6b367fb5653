// Prices captured orders by this package, each from its own facts.
import { hostFromFacts } from "order-cost/testing";
import { explainJson } from "../../internal.js";
import { zonesFile } from "../captures.js";
import { Failure } from "../failure.js";
import { readText } from "../input.js";
import { jsonParts } from "../json-parts.js";

/** Pricers by their options and zones. The facts are each order's own. */
export class Pricers {
  #package;
  #pricers = new Map();

  constructor(orderCost) {
    this.#package = orderCost;
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
    const pricer = await this.#pricerFor(file, capture);
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

  async #pricerFor(file, { place, zones, policy, limits }) {
    const zonesName = zones === null ? undefined : await zonesFile(file, zones);
    const key = JSON.stringify([zonesName, policy, limits]);
    if (!this.#pricers.has(key)) {
      if (this.#pricers.size === MOST_PRICERS) this.#pricers.delete(this.#pricers.keys().next().value);
      this.#pricers.set(key, await this.#create(place, { zonesName, policy, limits }));
    }
    return this.#pricers.get(key);
  }

  async #create(place, { zonesName, policy = "{}", limits = "{}" }) {
    const deliveryZones = zonesName && (await readText(zonesName));
    const options = { deadlineMs: 0, policy: JSON.parse(policy) ?? {}, limits: JSON.parse(limits) ?? {} };
    try {
      return await this.#package.createPricer(HOST, { ...options, ...(deliveryZones && { deliveryZones }) });
    } catch (error) {
      throw new Failure(`${place}: ${error.message}`);
    }
  }
}

/** The most pricers at once: each holds its zones. */
const MOST_PRICERS = 16;

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

/** Hands each call to the host of its order. */
const HOST = Object.fromEntries(
  ["lookupPrices", "nationwideRate", "validateCoupons", "lookupVouchers"].map((name) => [
    name,
    (argument, ctx) => ctx.context[name](argument, ctx),
  ]),
);
