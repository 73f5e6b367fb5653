// What orders cost, by Cloudflare's published prices.
import { readFileSync } from "node:fs";

export const PRICES = JSON.parse(readFileSync(new URL("../edge/prices.json", import.meta.url), "utf8"));

export const MILLION = 1_000_000;
export const GIGA = 1e9;

/** The price of one. */
export const priceOf = (name) => PRICES.prices[name].price / PRICES.prices[name].per;

/**
 * What a million orders cost in USD, by what is paid for. Quantities that a plan includes are not taken off.
 *
 * @param {object} of one order
 * @param {{ cpuMs: number, keys: number }} of.warm
 * @param {{ cpuMs: number, keys: number }} of.cold
 * @param {number} of.coldShare the share of orders that are the first of an isolate
 * @param {number} of.serviceMs the CPU time of the services behind bindings
 * @param {number} of.logSample the share of orders that write a log line
 * @param {number} of.logBytes of a line
 */
export function costOfMillion({ warm, cold, coldShare, serviceMs, logSample, logBytes }) {
  const mixed = (name) => warm[name] * (1 - coldShare) + cold[name] * coldShare;
  const ofMillion = (/** @type {number} */ price) => price * MILLION;
  const parts = {
    requests: ofMillion(priceOf("request")),
    cpu: ofMillion(mixed("cpuMs") * priceOf("cpuMs")),
    services: ofMillion(serviceMs * priceOf("cpuMs")),
    keys: ofMillion(mixed("keys") * priceOf("keyRead")),
    logs: ofMillion((logSample * logBytes * priceOf("logGb")) / GIGA),
  };
  return { ...parts, total: Object.values(parts).reduce((sum, price) => sum + price, 0) };
}
