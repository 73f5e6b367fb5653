/**
 * What the bill shows: all of it follows from one snapshot of the basket. Only the ledger comes later, because `explain`
 * answers later.
 * @typedef {object} Bill
 * @property {import("order-cost").BasketStatus} status
 * @property {number | null} total `null`: no price is known
 * @property {number | null} subTotal
 * @property {"none" | "awaited" | "outdated" | "current"} ledger `outdated`: it belongs to an older basket, and must
 *   say so
 *
 * @param {import("order-cost").BasketSnapshot} snapshot
 * @param {import("order-cost").OrderInput} [explained] the order whose ledger is drawn
 * @returns {Bill}
 */
export function billOf({ status, totals, rows, order }, explained) {
  const isKnown = rows.length === 0 || rows.some(({ price }) => price !== null);
  return {
    status,
    total: isKnown ? totals.grandTotal : null,
    subTotal: isKnown ? totals.subTotal : null,
    ledger: rows.length === 0 || status === "failed" ? "none" : ledgerOf(status === "current" && order, explained),
  };
}

function ledgerOf(final, explained) {
  if (explained === undefined) return "awaited";
  return explained === final ? "current" : "outdated";
}
