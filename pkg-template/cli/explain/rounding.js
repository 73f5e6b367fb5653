// Where a side rounds to the satang: in each row, in the subtotal, or in a total.
import { absolute, decimal, divide, numberText, subtract, typeOf } from "../../shared/index.js";
import { amountIn, atLeast0, isNoise, sum, times } from "./amounts.js";

const ONE = { digits: 1n, scale: 0n };
const CENT = 2;

/** Both usual ways: half away from zero, and half to even. */
const ROUNDINGS = [(amount) => divide(amount, ONE, CENT), halfToEven];

function halfToEven(amount) {
  const rounded = divide(amount, ONE, CENT);
  const isHalf = absolute(subtract(rounded, amount)).digits * 1000n === 5n * 10n ** amount.scale;
  if (!isHalf || rounded.digits % 2n === 0n) return rounded;
  return { ...rounded, digits: rounded.digits - (amount.digits < 0n ? -1n : 1n) };
}

/** What rows come to, before anybody rounds them. */
const ROW_AMOUNTS = [(row) => atLeast0(times(amountIn(row, "price"), amountIn(row, "quantity"))), (row) => amountIn(row, "rowTotal")];

/** Whether one side's subTotal is the sum of the other side's rows, each rounded. */
export function isSumOfRoundedRows({ left, right }) {
  return isSumOf(left.amount("subTotal"), right.rows) || isSumOf(right.amount("subTotal"), left.rows);
}

function isSumOf(subTotal, rows) {
  if (subTotal === undefined || rows === undefined) return false;
  return ROW_AMOUNTS.some((amountOf) => {
    const amounts = rows.map(amountOf);
    if (amounts.includes(undefined) || isNoise(sum(amounts), subTotal)) return false;
    return ROUNDINGS.some((rounded) => isNoise(sum(amounts.map(rounded)), subTotal));
  });
}

/** How far the right number is above the left one; undefined if they are no numbers. */
export function deltaOf({ left, right }) {
  if (typeOf(left) !== "number" || typeOf(right) !== "number") return undefined;
  const [a, b] = [left, right].map((value) => decimal(numberText(value)));
  return a && b && subtract(b, a);
}
