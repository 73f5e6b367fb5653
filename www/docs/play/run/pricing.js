// Prices what a state says, and remembers nothing.
import { createPricer } from "order-cost";
import { entriesOf, explainJson } from "order-cost/internal";
import { askedHost } from "./host.js";

const decoder = new TextDecoder();

/** The first order of a page also compiles the module. */
let isWarm = false;

/**
 * @typedef {object} Priced
 * @property {string} text of the answer, or of the error that the service would answer
 * @property {import("order-cost").PricedOrder} [order] the priced order
 * @property {import("order-cost").ExplainStep[]} steps
 * @property {import("order-cost").PricingError} [error]
 * @property {import("./host.js").Question[]} questions
 * @property {number} [ms] how long it took, unless it was the first one
 *
 * @param {import("../link/state.js").State} state its facts are of the right shape
 * @returns {Promise<Priced>}
 */
export async function price({ order, facts, policy, limits, input }) {
  const { host, deliveryZones, questions } = askedHost(facts);
  try {
    const pricer = await createPricer(host, {
      deadlineMs: 0,
      policy,
      ...(limits && { limits }),
      ...(input && { input }),
      ...(deliveryZones && { deliveryZones }),
    });
    const start = performance.now();
    const explained = Object.fromEntries(entriesOf(decoder.decode(await pricer[explainJson](order))));
    const ms = isWarm ? performance.now() - start : undefined;
    isWarm = true;
    return { text: explained.order, order: JSON.parse(explained.order), steps: JSON.parse(explained.steps), questions, ms };
  } catch (thrown) {
    const error = /** @type {import("order-cost").PricingError} */ (thrown);
    if (error.code === undefined) throw error;
    return { text: JSON.stringify(error), steps: [], error, questions };
  }
}
