// Catalogues of any size, as the files that an operator has, and orders from them.
import { closeSync, openSync, writeSync } from "node:fs";

export const BRANCHES = ["1000", "1001", "1002", "1003", "1004"];
const FIRST_CODE = 110_000;
const COLUMNS = ["price", "originalPrice", "settlementPrice", "weight", "isControlledProduct"];

/**
 * Writes a CSV file with a price for each product at each branch. The same arguments give the same file.
 * @param {string} file
 * @param {number} products
 * @param {boolean} isEqual whether all branches have the same prices
 * @param {{ every: number, raise: number }} [change] rows only for every `every`th product, dearer by `raise` satang
 */
export function writePrices(file, products, isEqual, { every, raise } = { every: 1, raise: 0 }) {
  const out = openSync(file, "w");
  writeSync(out, `cprcode,branchId,${COLUMNS.join(",")},name\n`);
  for (const [place, branchId] of BRANCHES.entries()) {
    let text = "";
    for (let index = 0; index < products; index += every) {
      text += rowOf(FIRST_CODE + index, branchId, isEqual ? 0 : place, raise);
      if (text.length < 2 ** 20 && index + every < products) continue;
      writeSync(out, text);
      text = "";
    }
  }
  closeSync(out);
}

/** The price record of a product, as a version has it whose branches have equal prices. */
export function recordOf(code, raise = 0) {
  const [, , ...values] = rowOf(code, BRANCHES[0], 0, raise).split(",", 2 + COLUMNS.length);
  const members = COLUMNS.flatMap((name, place) => (values[place] === "" ? [] : [[name, JSON.parse(values[place])]]));
  return JSON.stringify(Object.fromEntries(members));
}

function rowOf(code, branchId, place, raise) {
  const satang = 500 + ((code * 7919 + place * 104_729) % 90_000) + raise;
  const list = code % 5 === 0 ? ((satang + 1500) / 100).toFixed(2) : "";
  const settlement = code % 3 === 0 ? ((satang * 0.9) / 100).toFixed(2) : "";
  const weight = code % 25 === 0 ? "" : (0.1 + (code % 40) / 10).toFixed(1);
  return `${code},${branchId},${(satang / 100).toFixed(2)},${list},${settlement},${weight},${code % 50 === 0},Product ${code}\n`;
}

/** The code of a product of the catalogue. */
export const codeIn = (products, index) => FIRST_CODE + (index % products);

/** An order of this many lines, picked up, of products spread over the catalogue. */
export function orderOf(lines, products, turn = 0) {
  const productList = Array.from({ length: lines }, (_, line) => ({
    cprcode: codeIn(products, line * 7001 + turn * 13_007 + (turn + line) * (turn % 11)),
    productName: `Product ${line}`,
    quantity: 1 + (line % 5),
  }));
  return { branchId: BRANCHES[turn % BRANCHES.length], productList };
}
