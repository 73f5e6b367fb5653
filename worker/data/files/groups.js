import { groups } from "order-cost/internal";

/**
 * Does work for many items, some at a time.
 * @template Item, Result
 * @param {Item[]} items
 * @param {number} size how many at once
 * @param {(item: Item) => Promise<Result>} work
 * @returns {Promise<Result[]>} in the order of the items
 */
export async function inGroups(items, size, work) {
  /** @type {Result[]} */
  const results = [];
  for (const some of groups(items, size)) results.push(...(await Promise.all(some.map(work))));
  return results;
}
