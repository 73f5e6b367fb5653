// examples/parquet/spark.sql: orders in Parquet become captures.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { path } from "../package/command.js";
import { assertImpact, queryFor, ROWS, TWO_PRICES } from "../package/parquet.js";
import { LOCAL, submit } from "./cluster.js";

const PROGRAM = fileURLToPath(new URL("query.py", import.meta.url));

/** Runs the query over rows. */
const captured = (rows) =>
  submit(path(""), [PROGRAM, `INSERT OVERWRITE DIRECTORY 'orders' USING parquet ${rows}`, queryFor("spark")], LOCAL);

test("orders in Parquet become captures", async () => {
  const { code, log } = await captured(ROWS);
  assert.equal(code, 0, log);
  const objects = readdirSync(path("captures")).filter((name) => name.endsWith(".gz"));
  await assertImpact(Buffer.concat(objects.map((name) => readFileSync(path(`captures/${name}`)))));
});

test("a product with two prices in an order stops the query", async () => {
  const { code, log } = await captured(TWO_PRICES);
  assert.equal(code, 1);
  assert.match(log, /DUPLICATED_MAP_KEY/);
});
