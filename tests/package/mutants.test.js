// The search for faults that no test notices: what it knows of the tests.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { reportsIn } from "../mutants/reports.mjs";

test("a report that is cut is named, and the others count", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reports-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const report = { tests: {}, outside: { 1: 2 }, perTest: { "a test": { 3: 1 } } };
  const whole = JSON.stringify(report);
  const texts = { "1-0.json": whole, "2-0.json": whole.slice(0, 20), "3-0.json": "" };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  assert.deepEqual(reportsIn(folder), { reports: [report], damaged: ["2-0.json", "3-0.json"].map((name) => join(folder, name)) });
});
