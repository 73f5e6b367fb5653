import { PricingError, createPricer } from "order-cost";
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
  const deliveryZones = await readSeed("zones.json");
  const [prices, vouchers, rates, coupons] = await Promise.all(
    ["prices.json", "vouchers.json", "rates.json", "coupons.json"].map(parseSeed),
  );
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
    const late = error.name === "TimeoutError";
    return nobody(late ? `The edge did not answer within ${EDGE_DEADLINE_MS / 1000} seconds.` : "The edge cannot be reached.");
  }
  const answer = asObject(text);
  if (response.ok && answer) return { text };
  if (typeof answer?.error === "string") return { text, failure: { message: answer.error, status: response.status } };
  return nobody("There is no edge at this address: the page is served as plain files.");
}

const nobody = (message) => ({ failure: { message } });

/** Other servers than the Worker answer in HTML. */
function asObject(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function timed(price) {
  const start = performance.now();
  const answer = await price();
  return { ...answer, milliseconds: performance.now() - start };
}
