// examples/parquet/duckdb.sql: orders in Parquet become captures.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { path } from "../package/command.js";
import { assertImpact, queryFor, ROWS, TWO_PRICES } from "../package/parquet.js";

mkdirSync(path("orders"));

function query(sql) {
  const args = ["-c", "import duckdb, sys; duckdb.execute(sys.stdin.read())"];
  return spawnSync(process.env.PYTHON_WITH_PACKAGES, args, { cwd: path(""), input: sql, encoding: "utf8" });
}

/** Runs the query over a file of rows. */
const captured = (rows) => query(`COPY (${rows}) TO 'orders/1.parquet'; ${queryFor("duckdb")}`);

test("orders in Parquet become captures", async () => {
  const { status, stderr } = captured(ROWS);
  assert.equal(status, 0, stderr);
  await assertImpact(readFileSync(path("captures.ndjson.gz")));
});

test("a product with two prices in an order stops the query", () => {
  const { status, stderr } = captured(TWO_PRICES);
  assert.equal(status, 1);
  assert.match(stderr, /Map keys must be unique/);
});
