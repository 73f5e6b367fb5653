// The captures of compared orders, in R2.
import { captureBucket, createCaptures } from "../../src/captures/index.js";

/**
 * @typedef {import("../sides/ask.js").Answer} Answer
 * @typedef {Answer & { pricedFrom: import("../sides/fresh.js").PricedFrom }} PricedAnswer
 */

/**
 * @param {R2Bucket} bucket
 * @param {{ zones(hash: string | null): Promise<string | null> }} fresh the pricing Worker
 * @param {{ capturesPerDay: number, redactKey: string }} options
 */
export function createKeeper(bucket, fresh, { capturesPerDay, redactKey }) {
  const captures = createCaptures(captureBucket(bucket), redactKey);

  /** @param {string | null} hash */
  async function zonesText(hash) {
    const text = await fresh.zones(hash);
    if (text === null) throw new Error("The delivery zones of an order are not in the catalogue any more");
    return text;
  }

  return {
    /**
     * Keeps an order that can be priced again, if the day's slots have room for it.
     * @param {import("../sides/order.js").Order} order
     * @param {Answer} legacy
     * @param {PricedAnswer} answer the new side's
     */
    async keep(order, legacy, answer) {
      const name = `${new Date().toISOString().slice(0, 10)}/${Math.floor(Math.random() * capturesPerDay)}`;
      if (!(await captures.isFree(name))) return;
      await captures.write(name, exchangeOf(order, legacy, answer), () => zonesText(answer.pricedFrom.zones));
    },
  };
}

/**
 * What a capture of a compared order is made of.
 * @param {import("../sides/order.js").Order} order
 * @param {Answer} legacy
 * @param {PricedAnswer} answer the new side's
 */
export function exchangeOf({ requestId, route, body }, legacy, { pricedFrom, ...answer }) {
  const { facts, input, policy, limits, zones } = pricedFrom;
  const fresh = /** @type {import("../sides/fresh.js").Exchange["fresh"]} */ (answer); // it is whole: its order was priced
  return { requestId, route, body, input, policy, limits, zones, facts, legacy, fresh };
}
