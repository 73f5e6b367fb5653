// The rates that the shop has answered. The browser keeps them, so a reload has them without a network, too. Prices are
// kept with the version that they are from: by the catalogue.
import { recall, remember } from "../page/index.js";

const KEPT = "order-cost.rates";
const PAUSE_MS = 1000;
/** Older ones are asked for again, and count until they are answered. An order asks for all anyway. */
const MAX_AGE_MS = 3_600_000;

/**
 * A store with what the browser has kept.
 * @param {import("order-cost").Pricer} pricer
 * @returns {import("order-cost").FactStore}
 */
export function openFacts(pricer) {
  const options = { maxAgeMs: MAX_AGE_MS };
  try {
    return pricer.facts(JSON.parse(recall(KEPT) ?? "{}"), options);
  } catch {
    return pricer.facts(undefined, options); // somebody else has written it
  }
}

/** Keeps the facts of a basket from now on. */
export function keepFacts(facts, basket) {
  let timer;
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    const { rates, at } = facts.toJSON();
    remember(KEPT, JSON.stringify({ rates, at: { rates: at.rates } }));
  };
  basket.subscribe(() => (timer ??= setTimeout(keep, PAUSE_MS)));
  addEventListener("pagehide", keep);
}
