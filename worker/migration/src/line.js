// The log's line about a comparison. It says what differs, and nothing that an order holds.
import { shownPath } from "../../src/captures/redaction/index.js";

const MOST_DIFFERENCES = 20;

/**
 * The events, and when each is logged.
 * @typedef {object} LogEvents
 * @property {string} shadow An order was compared.
 * @property {string} left-out An order of the share was served and not compared.
 * @property {string} start The first request of an isolate.
 * @property {string} fault A side cannot be reached, or a comparison fails.
 */

/**
 * The fields, and what each says.
 * @typedef {object} LogFields
 * @property {string} requestId The client's `x-request-id`, or a new one.
 * @property {string} route `calculatecost2`, `calculatecost3` or `calculatecost4`.
 * @property {string} served Which side answered the client: `legacy` or `new`. If it cannot be reached, the other is asked for this
 *   line alone.
 * @property {string} outcome `same`, `different`, `legacyFailed`, `newFailed` or `bothFailed`. A side fails if it does not answer, its
 *   answer breaks off, has a status other than 200, is no JSON object or has a text as `error`. Two failures with one status and one
 *   message are `same`.
 * @property {object} status The status of each side. Null if it did not answer.
 * @property {object | string} reason In `shadow`, why each side failed: `timeout` (10 s), `unreachable`, `status`, `brokenOff`,
 *   `tooLong` (4 MiB), `encoding` (its `content-encoding` is wrong or unknown), `noObject`, or `error` (status 200 and a
 *   text as `error`). In `left-out`, why the order was not compared: `length` (over `MAX_BODY_BYTES`), `coupons`
 *   (`SHADOW_COUPONS` is `0`), `memory` (the orders under way hold 16 MiB), `deadline` (its body did not arrive within
 *   `ORDER_DEADLINE_MS`) or `hungUp` (the client did not read its answer to the end).
 * @property {object[]} differences The first 20, as `order-cost/compare` finds them. Names that no answer has by the specification
 *   are `…`.
 * @property {number} differenceCount How many differences there are.
 * @property {number | null} grandTotalDelta The new total less the old one, in THB. Null if a side has none.
 * @property {object} ms How many milliseconds each side took.
 * @property {object} options The variables in force. Of a secret, whether it is set.
 * @property {string} message What failed.
 * @property {string} cause Why.
 */

/**
 * @param {{ requestId: string, route: string }} order
 * @param {"legacy" | "new"} served
 * @param {import("./comparison.js").Comparison} comparison
 * @param {{ legacy: { status: number | null, ms: number }, new: { status: number | null, ms: number } }} answers
 */
export function shadowLine({ requestId, route }, served, { outcome, differences, grandTotalDelta, reason }, answers) {
  /** @param {"status" | "ms"} name */
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
