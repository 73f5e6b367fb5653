import { compareOrders } from "order-cost/compare";
import { decimal, decimalText, isObject, subtract, tooDeepAt } from "order-cost/internal";

/**
 * @typedef {Pick<import("../sides/ask.js").Answer, "status" | "text" | "reason">} Answer
 *
 * @typedef {object} Comparison
 * @property {"same" | "different" | "legacyFailed" | "newFailed" | "bothFailed"} outcome
 * @property {import("order-cost/compare").FieldDifference[]} differences
 * @property {number | null} grandTotalDelta new − legacy; null if one of them has no total
 * @property {{ legacy?: string, new?: string }} reason why a side has failed
 */

/**
 * How two answers differ. A side has failed if its answer is not whole, no JSON object, has another status than 200, or a
 * text as `error`. Anything else in `error` is a field like others.
 * @param {Answer} legacy
 * @param {Answer} fresh
 * @returns {Comparison}
 */
export function comparisonOf(legacy, fresh) {
  if (legacy.text !== undefined && legacy.status === fresh.status && legacy.text === fresh.text) return sameText(fresh);
  const [left, right] = [objectIn(legacy.text), objectIn(fresh.text)];
  const reason = { legacy: failureOf(legacy, left), new: failureOf(fresh, right) };
  const [legacyFailed, newFailed] = [reason.legacy, reason.new].map((why) => why !== undefined);
  const isComparable = left !== undefined && right !== undefined && legacyFailed === newFailed;
  const [before, after] = [legacy.text ?? "", fresh.text ?? ""];
  const differences = isComparable ? compareOrders(before, after) : [];
  const isAlike = isComparable && differences.length === 0 && legacy.status === fresh.status;
  return {
    outcome: outcomeOf(legacyFailed, newFailed, isAlike),
    differences,
    grandTotalDelta: deltaOf(left?.grandTotal, right?.grandTotal),
    reason,
  };
}

/**
 * Not parsed. Only a failure has no total.
 * @param {Answer} answer
 * @returns {Comparison}
 */
const sameText = ({ status }) => ({ outcome: "same", differences: [], grandTotalDelta: status === 200 ? 0 : null, reason: {} });

/**
 * Why a side has failed. Undefined if it has not.
 * @param {Answer} answer
 * @param {{ error?: unknown } | undefined} object what its text says
 */
function failureOf({ status, reason }, object) {
  if (status !== null && status !== 200) return "status";
  if (reason !== undefined) return reason;
  if (object === undefined) return "noObject";
  return typeof object.error === "string" ? "error" : undefined;
}

/**
 * @param {boolean} legacyFailed
 * @param {boolean} newFailed
 * @param {boolean} isAlike
 */
function outcomeOf(legacyFailed, newFailed, isAlike) {
  if (isAlike) return "same";
  if (legacyFailed) return newFailed ? "bothFailed" : "legacyFailed";
  return newFailed ? "newFailed" : "different";
}

/**
 * Undefined if it is none, or is nested deeper than any order: to compare it could overflow the stack.
 * @param {string | undefined} text
 */
function objectIn(text) {
  if (text === undefined || tooDeepAt(text) !== undefined) return undefined;
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Exact: a difference of doubles would be noise.
 * @param {number} legacy
 * @param {number} fresh
 */
function deltaOf(legacy, fresh) {
  if (!Number.isFinite(legacy) || !Number.isFinite(fresh)) return null;
  return Number(decimalText(subtract(decimal(`${fresh}`), decimal(`${legacy}`))));
}
