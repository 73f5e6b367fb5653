// A pricer of the facts and zones of files.
import { hostFromFacts } from "order-cost/testing";
import { Failure, OPTIONS, readFacts, sentence } from "../files/index.js";

/**
 * @typedef {object} Setup the texts of the files, and their names for messages
 * @property {string} [factsName] without one there are no facts
 * @property {string} factsText
 * @property {string} [zonesName]
 * @property {string} [zonesText]
 * @property {import("order-cost").PricerOptions} options
 */

/**
 * Returns the `pricer`, its `host` and the `facts`.
 * @param {Setup} setup
 */
export async function createFactsPricer({ factsName, factsText, zonesName, zonesText, options }) {
  const { createPricer } = await import("order-cost");
  const { deliveryZones, ...facts } = readFacts(factsName, factsText);
  const host = hostFromFacts(facts);
  const pricer = await createPricer(host, options);
  setZones(pricer, zonesName ?? factsName, zonesText ?? deliveryZones);
  return { pricer, host, facts };
}

/**
 * @param {import("order-cost").Pricer} pricer
 * @param {string | undefined} name
 * @param {string | undefined} text
 */
function setZones(pricer, name, text) {
  if (text === undefined) return;
  try {
    pricer.setDeliveryZones(text);
  } catch (error) {
    throw new Failure(`${name}: ${sentence(error)}`);
  }
}

/**
 * Makes a host forget its calls. They are meant for test suites; here the list would grow with every order.
 * @param {ReturnType<typeof hostFromFacts>} host
 */
export function forgetCalls({ calls }) {
  /** @type {unknown[]} */ (calls).length = 0;
}

/** The options of such a pricer, chosen on the command line. */
export function pricerOptions(options) {
  const chosen = (names) => Object.fromEntries(names.map((name) => [name, options[name]]));
  // All facts are in memory, so no look-up needs a deadline.
  return { deadlineMs: 0, policy: chosen(OPTIONS.policy), limits: chosen(OPTIONS.limits), input: options.input };
}
