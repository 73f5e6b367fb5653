/** A name with more wrong letters is nobody's business but its owner's. */
const MOST_SLIPS = 2;

/** Of a short name few letters say little: if half of them are wrong, another one was meant. */
const isLikely = (slips, name) => 2 * slips < name.length;

/**
 * What is wrong with a name that is none of the known ones.
 * @param {string} name
 * @param {readonly string[]} known
 */
export function unknownFault(name, known) {
  const letters = name.toLowerCase();
  const slips = known.map((other) => slipsBetween(letters, other.toLowerCase()));
  const fewest = Math.min(...slips);
  return isLikely(fewest, name) ? misspeltFault(known[slips.indexOf(fewest)]) : `unknown, expected one of ${known.join(", ")}`;
}

/**
 * The same of a name that was meant to be another one.
 * @param {string} meant
 */
export const misspeltFault = (meant) => `unknown, did you mean ${meant}`;

/**
 * Whether the name may be a slip of the keyboard or of memory for the known one.
 * @param {string} known
 * @param {string} name
 */
export function areNear(known, name) {
  // Most names differ more in length: a service on Kubernetes compares hundreds as it starts.
  if (Math.abs(known.length - name.length) > MOST_SLIPS) return false;
  const slips = slipsBetween(known, name);
  return slips <= MOST_SLIPS && isLikely(slips, name);
}

/** How many letters are missing, superfluous or wrong (Levenshtein). */
function slipsBetween(left, right) {
  const row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (const letter of left) {
    let replaced = row[0];
    row[0] += 1;
    for (let place = 0; place < right.length; place += 1) {
      const kept = letter === right[place] ? replaced : replaced + 1;
      replaced = row[place + 1];
      row[place + 1] = Math.min(kept, replaced + 1, row[place] + 1);
    }
  }
  return row[right.length];
}
