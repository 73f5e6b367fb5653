/** What the look-ups of the basket do: answer at once, take their time, or fail. For those who want to see the page wait. */
export const trouble = { kind: "none" };

export const KINDS = ["none", "slow", "coupons", "all"];

const SLOW_MS = 1500;

/**
 * A host whose look-ups do as `trouble` says.
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
