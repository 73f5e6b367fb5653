// What differs between two sets of delivery zones.

/**
 * @typedef {object} ZonesDifference
 * @property {number} before how many zones there were
 * @property {number} after
 * @property {number} removed zones that are gone, by branch and name
 * @property {number} beyond fees that change by more than `maxChange` percent
 */

/**
 * @param {string | undefined} before GeoJSON; undefined: no zones
 * @param {string | undefined} after
 * @param {(from: string, to: string) => boolean} isBeyond
 * @returns {ZonesDifference}
 */
export function compareZones(before, after, isBeyond) {
  const [olds, news] = [before, after].map(feesByZone);
  const gone = [...olds.keys()].filter((zone) => !news.has(zone));
  const beyond = [...olds].filter(([zone, fee]) => news.has(zone) && isBeyond(fee, news.get(zone)));
  return { before: olds.size, after: news.size, removed: gone.length, beyond: beyond.length };
}

/**
 * The fee of each zone by its branch, its name and which of that name it is.
 * @param {string | undefined} text
 */
function feesByZone(text) {
  const fees = new Map();
  for (const { properties } of text === undefined ? [] : JSON.parse(text).features) {
    const name = `${properties.brcode}/${properties.name ?? ""}`;
    let number = 0;
    while (fees.has(`${name}/${number}`)) number += 1;
    fees.set(`${name}/${number}`, `${properties.deliveryFee}`);
  }
  return fees;
}
