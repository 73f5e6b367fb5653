/** How the basket's look-ups behave: they answer at once, slowly, or fail. Visitors can try each. */
export const trouble = { kind: "none" };

export const KINDS = ["none", "slow", "coupons", "all", "dearer"];

const SLOW_MS = 1500;
const DEARER_BY = 5; // THB

/**
 * Makes a host whose look-ups behave as `trouble` says. In a real shop all but the prices, which the browser keeps, go
 * through the network, so without one they fail.
 * @param {import("order-cost").Host} host
 * @returns {import("order-cost").Host}
 */
export function withTrouble(host) {
  return Object.fromEntries(Object.entries(host).map(([name, ask]) => [name, (...question) => answer(name, () => ask(...question))]));
}

async function answer(name, ask) {
  const { kind } = trouble;
  if (kind === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  if (!navigator.onLine && name !== "lookupPrices") await reachServer();
  if (kind === "all" || (kind === "coupons" && name === "validateCoupons")) throw new Error(`${name} is switched off`);
  const answered = await ask();
  return kind === "dearer" && name === "lookupPrices" ? answered.map(dearer) : answered;
}

/** A machine without a network may serve the page to itself. The service worker answers no HEAD, so this is the server. */
const reachServer = () => fetch("manifest.webmanifest", { method: "HEAD" });

function dearer(text) {
  const record = text && JSON.parse(text);
  return record && { ...record, price: record.price + DEARER_BY };
}
