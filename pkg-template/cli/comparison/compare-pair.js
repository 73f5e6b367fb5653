// Compares two responses to one order, and explains what differs.
import { fieldDifferences } from "../../response/index.js";
import { readExact, subtract } from "../../shared/index.js";
import { explain } from "../explain/index.js";
import { hasOtherRows, lacksRowField, pairItems } from "../pairing/index.js";
import { beginsAsFailure, failedAnswer, totalOf } from "./failed-answer.js";

/**
 * @typedef {import("../explain/explain.js").Explained} Explained
 * @typedef {(number | null | undefined)[]} Statuses of both answers, where they are known; null: there was no answer
 *
 * @typedef {object} Comparison
 * @property {Explained[]} differences
 * @property {import("../../shared/decimal.js").Decimal} [delta] the right grand total less the left one, if both have one
 * @property {boolean} movesKeys whether the keys of an object are in another order
 * @property {boolean} [isFailed] whether both are the same failure
 * @property {boolean} [hasOtherRows] whether rows do not line up
 * @property {boolean} [lacksRowField] whether no row has the field `matchRows`
 */

/**
 * @param {string} leftText
 * @param {string} rightText
 * @param {{ matchRows?: string, known?: () => import("../explain/explain.js").Known, statuses?: Statuses }} [how]
 * @returns {Comparison}
 */
export function comparePair(leftText, rightText, { matchRows, known, statuses = [] } = {}) {
  if (leftText === rightText && statuses[0] === statuses[1])
    return { differences: [], movesKeys: false, isFailed: beginsAsFailure(leftText) };
  const [left, right] = [readExact(leftText), readExact(rightText)];
  const failed = failedAnswer([left, right], statuses);
  if (failed) return { differences: explain([failed], left, right, known?.()), movesKeys: false };
  let movesKeys = false;
  const onKeys = (leftKeys, rightKeys) => (movesKeys ||= areMoved(leftKeys, rightKeys));
  const found = fieldDifferences(left, right, { hasFormats: true, pairItems: pairItems(matchRows), onKeys });
  if (found.length === 0) return { differences: [], movesKeys, isFailed: beginsAsFailure(leftText) };
  const rows = matchRows === undefined && hasOtherRows(left, right);
  const lacksField = matchRows !== undefined && lacksRowField([left, right], matchRows);
  return {
    differences: explain(found, left, right, known?.()),
    delta: deltaOf(left, right),
    movesKeys,
    hasOtherRows: rows,
    lacksRowField: lacksField,
  };
}

/**
 * What differs between one answer and others, without its explanations: takes a fraction of the time. Reads the one once.
 * @param {string} leftText
 * @param {string} [matchRows]
 * @returns {(rightText: string, statuses?: Statuses) => import("../../response/field-differences.js").Difference[]}
 */
export function differencesFrom(leftText, matchRows) {
  let left;
  return (rightText, statuses = []) => {
    if (leftText === rightText && statuses[0] === statuses[1]) return [];
    if (left === undefined) left = readExact(leftText);
    const right = readExact(rightText);
    const failed = failedAnswer([left, right], statuses);
    return failed ? [failed] : fieldDifferences(left, right, { hasFormats: true, pairItems: pairItems(matchRows), onKeys: () => {} });
  };
}

function areMoved(left, right) {
  if (left.every((key, index) => key === right[index])) return false;
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  const common = left.filter((key) => inRight.has(key));
  return right.filter((key) => inLeft.has(key)).some((key, index) => key !== common[index]);
}

function deltaOf(left, right) {
  const [a, b] = [left, right].map(totalOf);
  return a && b && subtract(b, a);
}
