import Table from "cli-table3";
import { createColors } from "picocolors";
import { decimalText } from "../../shared/index.js";
import { printable } from "./printable.js";

const SIDES = ["top", "bottom", "left", "right", "mid"];
const BORDERS = SIDES.flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`]);
const NO_BORDERS = Object.fromEntries(BORDERS.map((name) => [name, ""]));

/**
 * Aligns rows in columns. `right`: the indices of right-aligned columns. `isTotalled`: the last row is the total.
 * @param {{ head: string[], rows: string[][], right?: number[], isTotalled?: boolean, color?: boolean }} shown
 */
export function table({ head, rows, right = [], isTotalled = false, color = false }) {
  const { bold, dim } = createColors(color);
  const made = new Table({
    chars: { ...NO_BORDERS, middle: "   " },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: head.map((_, index) => (right.includes(index) ? "right" : "left")),
  });
  made.push(head.map((text) => dim(text)));
  rows.forEach((row, index) => {
    const emphasis = isTotalled && index === rows.length - 1 ? bold : String;
    made.push(row.map((text) => emphasis(printable(text))));
  });
  return made.toString().replace(/ +$/gm, "");
}

const THB = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Baht to the satang: sums of many orders collect the noise of floats. */
export const thb = (number) => THB.format(number);

const SIGNED_THB = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "always" });

export const signedThb = (number) => SIGNED_THB.format(number);

const AMOUNT = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 20 });

/** At least two decimals, and more if the number has more. */
export function amount(number) {
  return AMOUNT.format(number === 0 ? 0 : number);
}

/**
 * The same of an exact number.
 * @param {import("../../shared/decimal.js").Decimal} number
 */
export function exactAmount(number) {
  const [whole, fraction = ""] = decimalText(number).split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction.padEnd(2, "0")}`;
}
