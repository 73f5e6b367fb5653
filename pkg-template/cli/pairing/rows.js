// Which items of two lists belong together.
import { sameIndices } from "../../response/index.js";
import { decimal, decimalText, exactText, member, numberText, typeOf } from "../../shared/index.js";

/** The field that names an item of a list. The items of the other lists are texts, which name themselves. */
const NAMES = {
  productList: "cprcode",
  scheduleList: "scheduleId",
  discounts: "coupon",
  validVouchers: "voucherId",
  invalidVouchers: "voucherId",
};

/**
 * Pairs items by index, but lists that hold the same names in another order by name; that order is one difference of its
 * own. With `matchRows`, rows are paired by that field, and their order is no difference.
 * @param {string} [matchRows]
 * @returns {(lists: import("../../response/field-differences.js").Lists) => import("../../response/field-differences.js").Pairs}
 */
export const pairItems = (matchRows) => (lists) => {
  const { path, left, right, differ } = lists;
  const list = path.slice(path.lastIndexOf(".") + 1);
  const isMatched = matchRows !== undefined && list === "productList";
  const nameOf = naming(isMatched ? matchRows : NAMES[list]);
  const [leftNames, rightNames] = [left.map(nameOf), right.map(nameOf)];
  if (!isMatched) {
    if (!isReordered(leftNames, rightNames) && !areTwinsReordered(lists, leftNames)) return sameIndices(lists);
    differ("order");
  }
  return pairsByName([left, leftNames], [right, rightNames]);
};

/** A name is the field's text; an item without it has its own text as its name. */
const naming = (field) => (item) => sortedText((field !== undefined && member(item, field)) || item);

/** Whether items that share a name, such as one product in two schedules, are in another order. */
function areTwinsReordered({ left, right }, names) {
  if (new Set(names).size === names.length) return false;
  return [sortedText, nearness].some((textOf) => isReordered(left.map(textOf), right.map(textOf)));
}

const sortedText = (item) => exactText(item, { sorted: true });

/** Equal for items that are nearest to each other: by value they have the same product, quantity and schedule. */
const nearness = (item) => JSON.stringify(["cprcode", "quantity", "scheduleId"].map((field) => valueText(member(item, field))));

function valueText(value) {
  const number = typeOf(value) === "number" ? decimal(numberText(value)) : undefined;
  return number ? decimalText(number) : exactText(value ?? null);
}

function isReordered(left, right) {
  if (left.length !== right.length || left.every((name, index) => name === right[index])) return false;
  const [a, b] = [[...left].sort(), [...right].sort()];
  return a.every((name, index) => name === b[index]);
}

/**
 * Of items with equal names identical ones pair first, then the nearest, the rest in order. No partner: -1.
 * @returns {Generator<[left: number, right: number]>}
 */
function* pairsByName([left, leftNames], [right, rightNames]) {
  const partners = new Map();
  const free = new Set(right.keys());
  const pairEqual = (leftKeys, rightKeys) => {
    const waiting = new Map();
    for (const index of free) waiting.set(rightKeys[index], [...(waiting.get(rightKeys[index]) ?? []), index]);
    for (const index of left.keys()) {
      const partner = partners.has(index) ? undefined : waiting.get(leftKeys[index])?.shift();
      if (partner === undefined) continue;
      partners.set(index, partner);
      free.delete(partner);
    }
  };
  for (const textOf of [sortedText, nearness]) {
    const texts = (items, names) => items.map((item, index) => `${names[index]}\n${textOf(item)}`);
    pairEqual(texts(left, leftNames), texts(right, rightNames));
  }
  pairEqual(leftNames, rightNames);
  for (const index of left.keys()) yield [index, partners.get(index) ?? -1];
  for (const index of free) yield [-1, index];
}

/** Whether the rows of two orders do not line up: their number differs. */
export function hasOtherRows(left, right) {
  const [a, b] = [left, right].map((order) => member(order, "productList"));
  return typeOf(a) === "array" && typeOf(b) === "array" && a.length !== b.length;
}

/** Whether there are rows, and none has the field. */
export function lacksRowField(orders, field) {
  const lists = orders.map((order) => member(order, "productList")).filter((rows) => typeOf(rows) === "array");
  const rows = lists.flat();
  return rows.length > 0 && rows.every((row) => member(row, field) === undefined);
}
