import { LOOK_UPS } from "order-cost/internal";

const PARTS = Object.values(LOOK_UPS);

/**
 * The header `server-timing` of an order: `prices;dur=12;desc="20 keys, 0 reads"`. On Cloudflare the clock stands still
 * while a Worker computes, so these are times of waiting.
 * @param {import("./order.js").Order} order
 * @param {import("order-cost/worker").OrderTimes} ms
 */
export function serverTiming(order, ms) {
  const metrics = [];
  for (const { part, isList } of PARTS) {
    if (ms[part] === undefined) continue;
    const { keys, reads } = order.countsOf(part);
    metrics.push(`${part};dur=${ms[part]};desc="${count(keys, "key")}, ${count(reads, isList ? "read" : "call")}"`);
  }
  return metrics.join(", ");
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
