// Orders in Parquet become captures: the queries of examples/parquet, rows for them, and what is said of the captures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { file, run } from "./command.js";
import { writeCatalogue } from "./impact-case.js";

export const queryFor = (engine) => readFileSync(new URL(`../../examples/parquet/${engine}.sql`, import.meta.url), "utf8");

/** The first product stands on two rows of its order. */
const LINES = [
  `('A-17', 1000, 1001, 'น้ำปลา "แท้"', 2, 37.25)`,
  `('A-17', 1000, 1001, 'น้ำปลา "แท้"', 1, 37.25)`,
  `('A-17', 1000, 1003, 'ข้าว', 1, 8.0199)`,
  `('A-18', 1001, 1001, 'น้ำปลา', 2, 37.25)`,
];
const rows = (lines) =>
  `SELECT order_id, branch_id, cprcode, product_name, quantity, CAST(price AS DECIMAL(18, 4)) AS price
   FROM (VALUES ${lines}) AS t(order_id, branch_id, cprcode, product_name, quantity, price)`;

export const ROWS = rows(LINES);
export const TWO_PRICES = rows([LINES[0], LINES[0].replace("37.25", "36")]);

/** Prices the captures with new prices: three of 1001 at 38 in branch 1000 for 37.25 each, and one of 1003 at 8 for 8.0199. */
export async function assertImpact(captures) {
  await writeCatalogue("catalogue", { "1001/1000": 38, "1003/1000": 8, "1001/1001": 37.25 });
  const { code, stdout, stderr } = await run(["impact", file("captures.gz", captures), "--catalogue", "catalogue", "--format", "json"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const { orders, captured, same, net, causes, products } = JSON.parse(stdout);
  assert.deepEqual({ orders, same, net, captured: captured.baht }, { orders: 2, same: 1, net: "2.2301", captured: "194.2699" });
  assert.deepEqual(
    causes.filter((cause) => cause.net !== "0").map(({ cause }) => cause),
    ["prices"],
  );
  assert.deepEqual(
    products.map(({ cprcode, net: moved }) => [cprcode, moved]),
    [
      ["1001", "2.25"],
      ["1003", "-0.0199"],
    ],
  );
}
