// A pricer for each set of policies.
import { hostFromFacts } from "order-cost/testing";
import { CONTEXT_HOST } from "../repricing/index.js";

const decoder = new TextDecoder();

export class PolicyPricers {
  #package;
  #made = new Map();

  constructor(orderCost) {
    this.#package = orderCost;
  }

  /** The answer to a rebuilt order by a policy, as text; that of a failure too. */
  async answer({ request, facts, zones }, policy) {
    const made = await this.#of(policy);
    if (zones !== undefined && zones !== made.zones) made.pricer.setDeliveryZones((made.zones = zones));
    try {
      return decoder.decode(await made.pricer.calculateJson(request, { context: hostFromFacts(facts) }));
    } catch (error) {
      if (!(error instanceof this.#package.PricingError)) throw error;
      return JSON.stringify(error);
    }
  }

  async #of(policy) {
    const key = JSON.stringify(policy);
    const known = this.#made.get(key);
    if (known) return known;
    const made = { pricer: await this.#package.createPricer(CONTEXT_HOST, { deadlineMs: 0, policy }) };
    this.#made.set(key, made);
    return made;
  }
}
