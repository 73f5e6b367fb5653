/**
 * The operations that the rules need of an arithmetic. An amount that only passes through stays as it was read. For
 * calculations it becomes money, a weight or a share. Money, weights and shares (the multiplier of a percentage
 * discount) may have different types. A portion is a share of an amount of money.
 *
 * @template [Read=number]
 * @template [Money=number]
 * @template [Weight=number]
 * @template [Share=number]
 * @template [Portion=number]
 * @typedef {object} Arithmetic
 * @property {string} name
 * @property {Formats} formats the largest number of decimal places for each
 * @property {(number: number) => Read} read
 * @property {(read: Read) => number} written
 * @property {(a: Read, b: Read) => Read} largest
 * @property {(read: Read) => Money} money
 * @property {(read: Read) => Weight} weight
 * @property {(read: Read) => Share} share
 * @property {Money} zero
 * @property {Weight} noWeight
 * @property {(a: Money, b: Money) => Money} add
 * @property {(a: Money, b: Money) => Money} subtract
 * @property {(a: Money, quantity: number) => Money} times
 * @property {(a: Money) => Money} atLeastZero
 * @property {(a: Money, b: Money) => Money} larger
 * @property {(a: Weight, b: Weight) => Weight} addWeights
 * @property {(a: Weight, quantity: number) => Weight} timesWeight
 * @property {(share: Share, of: Money) => Portion} portion
 * @property {(a: Money, b: Portion) => Portion} addPortion
 * @property {(a: Money) => number} amountOf
 * @property {(a: Weight) => number} weightOf
 * @property {(a: Portion) => number} portionOf
 * @typedef {{ money: number, weight: number, share: number }} Formats
 */

/** Satang, grams and hundredths of a percent as integers: 2, 3 and 4 decimal places. */
export const FIXED = { money: 2, weight: 3, share: 4 };

/** Any double. */
export const FREE = { money: Infinity, weight: Infinity, share: Infinity };

const same = (number) => number;

/** An amount stays the number that was read. Only calculations convert it. */
export const PASSING_NUMBERS = { read: same, written: same, largest: Math.max };
