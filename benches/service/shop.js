// A catalogue in a folder with two versions of which the second changes 1 % of the prices, and orders with their answers.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAnswers } from "../../tests/node/rolling.js";
import { BRANCHES, codeIn, recordOf, runData, writePrices } from "../edge/index.js";

const LINES = 20;

/** Every hundredth product, by its code, costs a satang more. */
const CHANGE = { every: 100, raise: 1 };

/** How many orders are sent in turn while the catalogue is switched. */
const SWITCHED = 1_000;

/**
 * @param {string} folder
 * @param {number} products of each of five branches, whose prices are equal
 */
export async function makeShop(folder, products) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [catalogue, prices, changes] = ["catalogue", "prices.csv", "changes.csv"].map((name) => join(folder, name));
  const publish = async (name, ...options) => {
    const version = join(folder, name);
    await runData("build", ...options, "--out", version);
    await runData("push", version, "--dir", catalogue);
    return JSON.parse(readFileSync(join(version, "manifest.json"), "utf8")).id;
  };
  console.log(`building ${products.toLocaleString("en")} products`);
  writePrices(prices, products, true);
  writePrices(changes, products, true, CHANGE);
  const first = await publish("first", "--prices", prices, "--no-zones");
  await runData("activate", first, "--dir", catalogue);
  const second = await publish("second", "--prices", changes, "--onto", "current", "--dir", catalogue);

  console.log("calculating what the orders should be answered");
  const one = new Map([[first, recordBefore]]);
  const both = new Map([
    [first, recordBefore],
    [second, recordAfter],
  ]);
  const current = join(catalogue, "current");
  const before = readFileSync(current);
  return {
    catalogue,
    current,
    second,
    /** Together they order every product once. */
    orders: Array.from({ length: products / LINES }, (_, turn) => withAnswers(orderOf(products, turn), one)),
    /** Of each, half of the products change. */
    switched: Array.from({ length: SWITCHED }, (_, turn) => withAnswers(changingOrder(products, turn), both)),
    activate: () => runData("activate", second, "--dir", catalogue),
    goBack: () => writeFileSync(current, before),
    /** All prices, for a service that has them in memory. */
    facts: () => JSON.stringify({ prices: Object.fromEntries(codes(products).map((code) => [code, JSON.parse(recordOf(code))])) }),
  };
}

const codes = (products) => Array.from({ length: products }, (_, index) => codeIn(products, index));

const codeOf = (key) => Number(key.split("/")[0]);
const recordBefore = (key) => recordOf(codeOf(key));
const recordAfter = (key) => recordOf(codeOf(key), codeOf(key) % CHANGE.every === 0 ? CHANGE.raise : 0);

const orderOf = (products, turn) => pickedUp(turn, (line) => codeIn(products, turn + (line * products) / LINES));

/** Every other line has a product that changes. */
function changingOrder(products, turn) {
  return pickedUp(turn, (line) => {
    const code = codeIn(products, turn * 7_001 + line * 13_007);
    return line % 2 === 0 ? code : code - (code % CHANGE.every);
  });
}

const pickedUp = (turn, codeOfLine) => ({
  branchId: BRANCHES[turn % BRANCHES.length],
  productList: Array.from({ length: LINES }, (_, line) => ({
    cprcode: codeOfLine(line),
    productName: `Product ${line}`,
    quantity: 1 + (line % 5),
  })),
});
