// Compares two values of exact-json.js, field by field.
import { absolute, decimal, keyName, numberText, own, subtract, typeOf } from "../shared/index.js";

/**
 * @typedef {object} Difference
 * @property {string} path
 * @property {string} kind
 * @property {unknown} left a value of exact-json.js, as `right` is
 * @property {unknown} right
 * @property {{ left: unknown, right: unknown, leftIndex: number, rightIndex: number }} [items] the innermost pair of list items
 *   around the field
 *
 * @typedef {{ path: string, left: unknown[], right: unknown[], differ: (kind: string) => void }} Lists
 * @typedef {Iterable<[left: number, right: number]>} Pairs items by their indices; -1: none
 */

/**
 * The differences of two values of exact-json.js. With `hasFormats`, other notations of equal numbers are differences.
 *
 * @param {unknown} left
 * @param {unknown} right
 * @param {object} run
 * @param {boolean} [run.hasFormats]
 * @param {(lists: Lists) => Pairs} [run.pairItems] which items of two lists to compare. By default those at the same index
 * @param {(left: string[], right: string[]) => void} [run.onKeys] is told the keys of each pair of objects
 * @returns {Difference[]}
 */
export function fieldDifferences(left, right, { hasFormats, pairItems = sameIndices, onKeys = () => {} }) {
  const differences = [];
  compare("", left, right, { hasFormats, pairItems, onKeys, differences, items: undefined });
  return differences;
}

/**
 * @param {Pick<Lists, "left" | "right">} lists
 * @returns {Generator<[left: number, right: number]>}
 */
export function* sameIndices({ left, right }) {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) yield [index, index];
}

function compare(path, left, right, run) {
  const [leftType, rightType] = [typeOf(left), typeOf(right)];
  const differ = (kind) => void run.differences.push({ path, kind, left, right, items: run.items });
  if (leftType === "undefined" || rightType === "undefined") differ("missing");
  else if (leftType !== rightType) differ("type");
  else if (leftType === "number") compareNumbers(numberText(left), numberText(right), run, differ);
  else if (leftType === "array") compareLists(path, left, right, run, differ);
  else if (leftType === "object") compareObjects(path, left, right, run);
  else if (left !== right) differ("value");
}

function compareLists(path, left, right, run, differ) {
  for (const [leftIndex, rightIndex] of run.pairItems({ path, left, right, differ })) {
    const items = { left: left[leftIndex], right: right[rightIndex], leftIndex, rightIndex };
    compare(`${path}[${leftIndex < 0 ? rightIndex : leftIndex}]`, items.left, items.right, { ...run, items });
  }
}

function compareObjects(path, left, right, run) {
  const [leftKeys, rightKeys] = [Object.keys(left), Object.keys(right)];
  run.onKeys(leftKeys, rightKeys);
  for (const key of new Set([...leftKeys, ...rightKeys])) {
    compare(`${path && `${path}.`}${keyName(key)}`, own(left, key), own(right, key), run);
  }
}

const HALF_SATANG = { digits: 5n, scale: 3n };

function compareNumbers(left, right, { hasFormats }, differ) {
  if (left === right) return;
  const [a, b] = [decimal(left), decimal(right)];
  if (a === undefined || b === undefined) return differ("value");
  const size = absolute(subtract(a, b));
  if (size.digits !== 0n) differ(subtract(size, HALF_SATANG).digits < 0n ? "underHalfSatang" : "value");
  else if (hasFormats) differ("numberFormat");
}
