import { msSince } from "order-cost/internal";

const MOST_RATES = 10_000;

/** No postcode is longer, and no rate: whoever sends longer ones cannot fill the memory. */
const MOST_POSTCODE_LENGTH = 16;
const MOST_RATE_LENGTH = 1_000;

/**
 * Keeps the nationwide rates that orders were priced with.
 *
 * @param {import("./service-client.js").Ask} ask
 * @param {number} keepMs 0: each order asks
 */
export function createRates(ask, keepMs) {
  /** By mode and postcode, in the sequence in which they were first kept. */
  const kept = new Map();
  /** The answers to each order. An answer that the pricer refuses must not be kept, so they wait for the order's end. */
  const answers = new WeakMap();

  function note(order, name, text) {
    if (text.length > MOST_RATE_LENGTH) return;
    if (!answers.has(order)) answers.set(order, new Map());
    answers.get(order).set(name, { text, at: Date.now() });
  }

  function nationwideRate(query, ctx) {
    const { shippingPostcode, nationwideMode } = query;
    if (shippingPostcode.length > MOST_POSTCODE_LENGTH) return ask(query, ctx);
    const name = `${nationwideMode}/${shippingPostcode}`;
    const rate = kept.get(name);
    if (rate && msSince(rate.at) < keepMs) return rate.text;
    return ask(query, ctx).then((text) => {
      note(ctx.context, name, text);
      return text;
    });
  }

  return {
    nationwideRate: keepMs > 0 ? nationwideRate : ask,

    /** Keeps the answers to an order that has been priced. */
    keep(order) {
      for (const [name, rate] of answers.get(order) ?? []) kept.set(name, rate);
      while (kept.size > MOST_RATES) kept.delete(kept.keys().next().value);
    },
  };
}
