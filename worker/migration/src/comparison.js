import { compareOrders } from "order-cost/compare";
import { decimal, decimalText, subtract } from "../../../pkg/decimal.js";
import { isDeeper } from "./depth.js";

const MOST_DEPTH = 1_000;

/**
 * How two answers differ. A side has failed if its answer is not whole, no JSON object, has another status than 200, or a
 * text as `error`. Anything else in `error` is a field like others.
 * @typedef {{ status: number | null, text?: string, reason?: string }} Answer `text` is there if the answer is whole, `reason`
 *   says why it is not
 * @param {Answer} legacy
 * @param {Answer} fresh
 * @returns {{ outcome: "same" | "different" | "legacyFailed" | "newFailed" | "bothFailed", differences: import("order-cost/compare").FieldDifference[], grandTotalDelta: number | null, reason: { legacy?: string, new?: string } }}
 *   the delta is new − legacy; null if one of them has no total. `reason` says why a side has failed
 */
export function comparisonOf(legacy, fresh) {
  if (legacy.text !== undefined && legacy.status === fresh.status && legacy.text === fresh.text) return sameText(fresh);
  const [left, right] = [objectIn(legacy.text), objectIn(fresh.text)];
  const reason = { legacy: failureOf(legacy, left), new: failureOf(fresh, right) };
  const [legacyFailed, newFailed] = [reason.legacy, reason.new].map((why) => why !== undefined);
  const isComparable = left !== undefined && right !== undefined && legacyFailed === newFailed;
  const differences = isComparable ? compareOrders(legacy.text, fresh.text) : [];
  const isAlike = isComparable && differences.length === 0 && legacy.status === fresh.status;
  return {
    outcome: outcomeOf(legacyFailed, newFailed, isAlike),
    differences,
    grandTotalDelta: deltaOf(left?.grandTotal, right?.grandTotal),
    reason,
  };
}

/** Not parsed. Only a failure has no total. */
const sameText = ({ status }) => ({ outcome: "same", differences: [], grandTotalDelta: status === 200 ? 0 : null, reason: {} });

/** Why a side has failed. Undefined if it has not. */
function failureOf({ status, reason }, object) {
  if (status !== null && status !== 200) return "status";
  if (reason !== undefined) return reason;
  if (object === undefined) return "noObject";
  return typeof object.error === "string" ? "error" : undefined;
}

function outcomeOf(legacyFailed, newFailed, isAlike) {
  if (isAlike) return "same";
  if (legacyFailed) return newFailed ? "bothFailed" : "legacyFailed";
  return newFailed ? "newFailed" : "different";
}

/** Undefined if it is none, or is nested deeper than any order: to compare it could overflow the stack. */
function objectIn(text) {
  if (text === undefined || isDeeper(text, MOST_DEPTH)) return undefined;
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
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
