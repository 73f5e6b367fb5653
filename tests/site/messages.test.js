// The table of the customer messages: every text of the package in both languages, each made from whole facts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { english, thai } from "../../pkg-template/messages.js";
import { messages } from "../../www/docs/tables/messages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const made = await messages({ root });
const rows = made.split("\n").filter((line) => line.startsWith("| `"));

test("every code, reason, change and rule has a row", () => {
  const { errors, reasons, changes, steps } = english;
  const names = [errors, reasons, changes, steps].flatMap(Object.keys);
  const first = new Set(rows.map((row) => row.match(/^\| `(\w+)`/)[1]));
  assert.deepEqual([...first].sort(), [...new Set([...names, "failedCoupon"])].sort());
});

test("every row has a sentence in both languages, without a missing value", () => {
  for (const row of rows) {
    const cells = row.slice(2, -2).split(" | ");
    assert.equal(cells.length, 3, row);
    const [, inThai, inEnglish] = cells;
    assert.match(inThai, /\p{Script=Thai}/u);
    assert.match(inEnglish, /[A-Za-z].*\.$/);
    assert.doesNotMatch(row, /undefined|NaN|null|\[object/);
  }
});

test("a text that depends on facts has a row for each of them", () => {
  const texts = (language) => [true, false].map((retryable) => language.errors.INTERNAL({ retryable }));
  for (const text of [...texts(english), ...texts(thai)]) assert.ok(made.includes(`| ${text} |`), text);
  assert.equal(rows.filter((row) => row.startsWith("| `PRICE_LOOKUP_FAILED`")).length, 4);
});
