/** How the basket's look-ups behave: they answer at once, slowly, or fail. Visitors can try each. */
export const trouble = { kind: "none" };

export const KINDS = ["none", "slow", "coupons", "all"];

const SLOW_MS = 1500;

/**
 * Makes a host whose look-ups behave as `trouble` says.
 * @param {import("order-cost").Host} host
 * @returns {import("order-cost").Host}
 */
export function withTrouble(host) {
  return Object.fromEntries(
    Object.entries(host).map(([name, ask]) => [name, (...question) => answer(name, () => ask(...question))]),
  );
}

async function answer(name, ask) {
  const { kind } = trouble;
  if (kind === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  if (kind === "all" || (kind === "coupons" && name === "validateCoupons")) throw new Error(`${name} is switched off`);
  return ask();
}
