// Why a difference is there, in short, and how much that matters.

/** The decisions that explain a difference, by number, or the field that it follows from, or that nothing explains it. */
export function whyOf({ field, reasons, roots }) {
  if (roots.length === 0) return [...new Set(reasons.map(({ decision }) => decision))].sort(byNumber).join(", ");
  if (roots.includes(field)) return "unexplained";
  return `follows from ${roots[0]}${roots.length > 1 ? ` and ${roots.length - 1} more` : ""}`;
}

const byNumber = (a, b) => Number(a.slice(1)) - Number(b.slice(1));

const HARD_KINDS = ["failed", "missing", "type"];

/** The unexplained come first, of them failures, missing fields and other types; then what follows from them. Notation comes last. */
export function rankOf({ field, kind, roots }) {
  if (roots.length === 0) return kind === "numberFormat" ? -1 : 0;
  if (!roots.includes(field)) return 1;
  return HARD_KINDS.includes(kind) ? 3 : 2;
}
