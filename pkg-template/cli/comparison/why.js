// Why a difference is there, in short, and how much that matters.

/** What `--reason` names beside a decision. */
export const UNEXPLAINED = "unexplained";

/** The decisions that explain a difference, by number; `unexplained` where they do not explain all of it. */
export function reasonsOf({ reasons = [], roots = [] }) {
  if (roots.length > 0) return [UNEXPLAINED];
  return [...new Set(reasons.map(({ decision }) => decision))].sort(byNumber);
}

/** The same in short; the field that it follows from, if that is not explained. */
export function whyOf({ field, reasons, roots }) {
  if (roots.length === 0) return reasonsOf({ reasons }).join(", ");
  if (roots.includes(field)) return UNEXPLAINED;
  return `follows from ${roots[0]}${roots.length > 1 ? ` and ${roots.length - 1} more` : ""}`;
}

const byNumber = (a, b) => Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10);

const HARD_KINDS = ["failed", "missing", "type"];

/** The unexplained come first, of them failures, missing fields and other types; then what follows from them. Notation comes last. */
export function rankOf({ field, kind, roots }) {
  if (roots.length === 0) return kind === "numberFormat" ? -1 : 0;
  if (!roots.includes(field)) return 1;
  return HARD_KINDS.includes(kind) ? 3 : 2;
}
