// A pricer of the facts and zones of files.
import { hostFromFacts } from "order-cost/testing";
import { OPTIONS } from "./captures.js";
import { Failure } from "./failure.js";
import { readFacts } from "./facts.js";

/** Takes the texts of the files, and their names for messages. Returns the `pricer`, its `host` and the `facts`. */
export async function createFactsPricer({ factsName, factsText, zonesName, zonesText, options }) {
  const { createPricer } = await import("order-cost");
  const { deliveryZones, ...facts } = readFacts(factsName, factsText);
  const host = hostFromFacts(facts);
  const pricer = await createPricer(host, options);
  setZones(pricer, zonesName ?? factsName, zonesText ?? deliveryZones);
  return { pricer, host, facts };
}

function setZones(pricer, name, text) {
  if (text === undefined) return;
  try {
    pricer.setDeliveryZones(text);
  } catch (error) {
    throw new Failure(`${name}: ${error.message}`);
  }
}

/** The options of such a pricer, chosen on the command line. */
export function pricerOptions(options) {
  const chosen = (names) => Object.fromEntries(names.map((name) => [name, options[name]]));
  // All facts are in memory, so no look-up needs a deadline.
  return { deadlineMs: 0, policy: chosen(OPTIONS.policy), limits: chosen(OPTIONS.limits), input: options.input };
}
