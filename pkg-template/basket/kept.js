/**
 * What a basket keeps for a later page.
 *
 * @typedef {object} Kept
 * @property {import("order-cost").Totals | null} settledTotals
 * @property {[kind: "vouchers" | "coupons", name: string, answer: string, at: number][]} own what belongs to the customer: the
 *   vouchers by their ids, and the answer to the coupons by its request, each with its time
 */

/**
 * `basket[kept](withOwn)` returns it with the order and the facts; `options[kept]` restores it in a new basket. `Symbol.for`
 * finds it by name, because the entries may be bundled separately.
 */
export const kept = Symbol.for("order-cost.kept");
