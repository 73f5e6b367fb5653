// The log's line about a comparison. It says what differs, and nothing that an order holds.
import { shownPath } from "../../src/captures/redaction/path.js";

const MOST_DIFFERENCES = 20;

/**
 * @param {{ requestId: string, route: string }} order
 * @param {"legacy" | "new"} served
 * @param {ReturnType<typeof import("./comparison.js").comparisonOf>} comparison
 * @param {{ legacy: { status: number | null, ms: number }, new: { status: number | null, ms: number } }} answers
 */
export function shadowLine({ requestId, route }, served, { outcome, differences, grandTotalDelta, reason }, answers) {
  const both = (name) => ({ legacy: answers.legacy[name], new: answers.new[name] });
  return {
    event: "shadow",
    requestId,
    route,
    served,
    outcome,
    status: both("status"),
    reason,
    differences: differences.slice(0, MOST_DIFFERENCES).map(({ path, kind }) => ({ path: shownPath(path), kind })),
    differenceCount: differences.length,
    grandTotalDelta,
    ms: both("ms"),
  };
}
