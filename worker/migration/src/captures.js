// The captures of compared orders, in R2.
import { createCaptures } from "../../src/captures/captures.js";
import { captureBucket } from "../../src/platform/cloudflare/capture-bucket.js";

/** @typedef {import("./ask.js").Answer} Answer */

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
     * @param {import("./order.js").Order} order
     * @param {Answer} legacy
     * @param {Answer} answer the new side's
     */
    async keep(order, legacy, answer) {
      const { pricedFrom } = answer;
      if (!pricedFrom?.isRepeatable) return;
      const name = `${new Date().toISOString().slice(0, 10)}/${Math.floor(Math.random() * capturesPerDay)}`;
      if (!(await captures.isFree(name))) return;
      await captures.write(name, exchangeOf(order, legacy, answer, pricedFrom), () => zonesText(pricedFrom.zones));
    },
  };
}

/**
 * What a capture of a compared order is made of.
 * @param {import("./order.js").Order} order
 * @param {Answer} legacy
 * @param {Answer} answer the new side's, which is whole: the order was priced
 * @param {import("./fresh.js").PricedFrom} pricedFrom
 */
export function exchangeOf({ requestId, route, body }, legacy, answer, { facts, input, policy, limits, zones }) {
  const { pricedFrom: _, ...rest } = answer;
  const fresh = /** @type {import("../../src/captures/redaction/capture.js").Exchange["fresh"]} */ (rest);
  return { requestId, route, body, input, policy, limits, zones, facts, legacy, fresh };
}
