import { PricingError, createPricer, preload } from "order-cost";
import { createSeedHost } from "./seed/facts.js";

const EDGE_DEADLINE_MS = 15_000;

/**
 * One side's answer to an order.
 * @typedef {object} Answer
 * @property {string} [text] the response; missing where nobody answered
 * @property {{message: string, code?: string, path?: string, status?: number}} [failure] why there is no price
 * @property {number} milliseconds
 */

/**
 * What prices orders without a server: the package, over the shop's seed data.
 * @returns {Promise<(body: string) => Promise<Answer>>}
 */
export async function createBrowserSide() {
  const [prices, vouchers, rates, coupons, deliveryZones] = await Promise.all([
    parseSeed("prices.json"),
    parseSeed("vouchers.json"),
    parseSeed("rates.json"),
    parseSeed("coupons.json"),
    readSeed("zones.json"),
    preload(),
  ]);
  const pricer = await createPricer(createSeedHost({ prices, vouchers, rates, coupons }), { deliveryZones });
  return (body) => timed(() => priceHere(pricer, body));
}

/**
 * The text of a file of the shop's seed data.
 * @param {string} file
 */
export async function readSeed(file) {
  const response = await fetch(`seed/${file}`);
  if (!response.ok) throw new Error(`seed/${file} answered ${response.status}`);
  return response.text();
}

/** @param {string} file */
export const parseSeed = async (file) => JSON.parse(await readSeed(file));

async function priceHere(pricer, body) {
  try {
    return { text: new TextDecoder().decode(await pricer.calculateJson(body)) };
  } catch (error) {
    if (!(error instanceof PricingError)) throw error;
    const { code, path, message } = error;
    return { text: JSON.stringify(error), failure: { message, code, path } };
  }
}

/**
 * Prices at the Worker that serves this page.
 * @param {string} body
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export const priceAtEdge = (body, signal) => timed(() => priceThere(body, signal));

async function priceThere(body, signal) {
  let response, text;
  try {
    response = await fetch("calculatecost4", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(EDGE_DEADLINE_MS)]),
    });
    text = await response.text();
  } catch (error) {
    const isLate = error.name === "TimeoutError";
    return nobody(isLate ? `The edge did not answer within ${EDGE_DEADLINE_MS / 1000} seconds` : "The edge cannot be reached");
  }
  const { ok, status } = response;
  const answer = parsed(text);
  if (ok && Array.isArray(answer?.productList)) return { text };
  if (typeof answer?.error === "string") return { text, failure: { message: answer.error, status } };
  return nobody(`Nothing at this address prices orders (HTTP ${status}): the page may be served as plain files`);
}

const nobody = (message) => ({ failure: { message } });

/** Other servers than the Worker answer in HTML. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function timed(price) {
  const start = performance.now();
  const answer = await price();
  return { ...answer, milliseconds: performance.now() - start };
}
