/**
 * A list in parts.
 * @template T
 * @param {readonly T[]} items
 * @param {number} size of each part but the last
 * @returns {Generator<T[]>}
 */
export function* groups(items, size) {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Does work for each item, for at most so many at once. */
export async function inPool(items, most, work) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, waiting.length) }, worker));
}
