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
