import { figure } from "./figure.js";

/**
 * What a report says of the lines that `--skip-broken` has left out, a sentence each.
 * @param {import("../files/broken-lines.js").BrokenLines} [broken] undefined: none was to be
 */
export function brokenSentences(broken) {
  if (broken === undefined || broken.count === 0) return [];
  const { count, first } = broken;
  const named = count > first.length ? `, the first ${first.length}` : "";
  return [`${figure(count)} ${count === 1 ? "line is no capture and was" : "lines are no captures and were"} skipped${named}:`, ...first];
}
