const numbered = (prefix, count) => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

/**
 * The ids that the corpus must cover: the ids of DECISIONS.md, the rules of SPECIFICATION.md and the brief's errors.
 */
export const REQUIRED_IDS = [
  ...numbered("D", 46),
  "D48",
  "D49",
  ...numbered("rule ", 10),
  "error: No price",
  "error: Branch",
  "error: Nationwide rate",
  "error: Coupon service",
  "error: Voucher not found",
  "error: Not JSON",
];

/**
 * Counts the cases for each required id. `missing` lists ids without a case, `unknown` lists ids that are not required.
 */
export function coverage(cases) {
  const named = cases.flatMap(({ ids }) => ids);
  const counts = Object.fromEntries(REQUIRED_IDS.map((id) => [id, named.filter((one) => one === id).length]));
  return { counts, missing: REQUIRED_IDS.filter((id) => counts[id] === 0), unknown: named.filter((id) => !REQUIRED_IDS.includes(id)) };
}

/** The counts as text for the test's output. */
export function coverageText({ counts }) {
  return Object.entries(counts)
    .map(([id, count]) => `${id}: ${count}`)
    .join(", ");
}
