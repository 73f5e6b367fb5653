/**
 * What the bill shows: all of it follows from one snapshot of the basket.
 * @typedef {object} Bill
 * @property {import("order-cost").BasketStatus} status
 * @property {number | null} total `null`: no price is known
 * @property {number | null} subTotal
 * @property {number | null} settled the last complete total, if the one now is another and not complete
 * @property {"none" | "awaited" | "partial" | "current"} ledger `awaited`: the first one of the page; `partial`: of what is
 *   known
 *
 * @param {import("order-cost").BasketSnapshot} snapshot
 * @returns {Bill}
 */
export function billOf({ status, totals, settledTotals, rows }) {
  const isKnown = rows.length === 0 || rows.some(({ price }) => price !== null);
  const total = isKnown ? totals.grandTotal : null;
  const settled = status !== "current" && settledTotals && settledTotals.subTotal > 0 ? settledTotals.grandTotal : null;
  return {
    status,
    total,
    subTotal: isKnown ? totals.subTotal : null,
    settled: settled === total ? null : settled,
    ledger: rows.length === 0 ? "none" : ledgerOf(status, isKnown, settledTotals),
  };
}

function ledgerOf(status, isKnown, settledTotals) {
  if (status === "pending" && settledTotals === null) return "awaited";
  if (!isKnown) return "none";
  return status === "current" ? "current" : "partial";
}
