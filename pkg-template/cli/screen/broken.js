import { figure } from "./figure.js";

/**
 * What a report says of the lines that `--skip-broken` has left out, a sentence each.
 * @param {ReturnType<import("../files/broken-lines.js").BrokenLines["report"]>} [broken] undefined: none was to be
 */
export function brokenSentences({ count, first } = { count: 0, first: [] }) {
  if (count === 0) return [];
  const named = count > first.length ? `, the first ${first.length}` : "";
  return [`${figure(count)} ${count === 1 ? "line is no capture and was" : "lines are no captures and were"} skipped${named}:`, ...first];
}
