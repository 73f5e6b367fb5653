// `cargo xtask test --matrix` takes all rows, `.ci/run` leaves out the nightly ones.
import assert from "node:assert/strict";

const { MATRIX_ROWS = "all" } = process.env;
assert.ok(["all", "every-change"].includes(MATRIX_ROWS), `MATRIX_ROWS is ${MATRIX_ROWS}: expected all or every-change`);

export const isWhole = MATRIX_ROWS === "all";
