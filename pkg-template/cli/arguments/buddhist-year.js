// Thailand counts 543 years more than the common era: no date of ours is as late as those.
const YEARS_MORE = 543;
const FIRST = 2400;

/**
 * What a date of the Buddhist era was meant to be; undefined: it is one of the common era.
 * @param {string} date as in `2573-12-01`, also with a time
 * @returns {string | undefined} `2030-12-01`
 */
export function commonEra(date) {
  const year = Number(date.slice(0, 4));
  return year < FIRST ? undefined : `${year - YEARS_MORE}${date.slice(4)}`;
}
