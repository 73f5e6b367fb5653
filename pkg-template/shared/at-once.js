/**
 * `catalogue[atOnce]()` gives the version in use; undefined if an order has to wait for it. Bundles share it like `atHand`.
 */
export const atOnce = Symbol.for("order-cost.atOnce");
