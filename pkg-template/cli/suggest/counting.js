// Which differences of an answer count.
import { beginsAsFailure, differencesFrom } from "../comparison/index.js";

/** The HTTP status of an answer of this package. */
const statusOf = (text) => (beginsAsFailure(text) ? 500 : 200);

/**
 * Two functions: the differences of another right answer that count, and those of a list that do.
 * @param {import("../comparison/ignored.js").Ignored} ignored
 * @param {{ text: string, status?: number | null }} left the status where it is known
 * @param {string} [matchRows]
 */
export function countingOf(ignored, { text: left, status }, matchRows) {
  const differences = differencesFrom(left, matchRows);
  const counting = (found) => ignored.rest(found);
  return { counting, differencesOf: (right) => counting(differences(right, status === undefined ? [] : [status, statusOf(right)])) };
}
