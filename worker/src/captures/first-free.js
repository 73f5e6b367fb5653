/** Both kinds of today, and those of yesterday. */
const MOST_FOLDERS = 4;

/**
 * Makes the function that finds the first free slot of a folder: all slots before it are taken, so each order finds one
 * until the day is full.
 * @param {(name: string) => Promise<boolean>} isFree
 * @param {number} perDay
 */
export function createFirstFree(isFree, perDay) {
  /** By folder: the slot that was free last. */
  const known = new Map();

  return async function firstFree(folder) {
    const isFreeAt = (slot) => slot >= perDay || isFree(`${folder}/${slot}`);
    let low = known.get(folder) ?? 0; // before it all are taken
    let step = 1;
    while (!(await isFreeAt(low + step - 1))) [low, step] = [low + step, step * 2];
    let high = low + step - 1; // it is free
    while (low < high) {
      const middle = (low + high) >> 1;
      if (await isFreeAt(middle)) high = middle;
      else low = middle + 1;
    }
    if (known.size >= MOST_FOLDERS) known.clear();
    known.set(folder, low);
    return low < perDay ? `${folder}/${low}` : undefined;
  };
}
