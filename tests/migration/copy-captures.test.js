// The command `npm run captures`: what it copies is in walk.test.js.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { copyCaptures } from "../../worker/migration/local-captures.js";

const SCRIPT = fileURLToPath(new URL("../../worker/migration/copy-captures.js", import.meta.url));
const run = (...args) => spawnSync(process.execPath, [SCRIPT, ...args], { encoding: "utf8" });

for (const args of [[], ["--folder"], ["a", "b"]]) {
  test(`${JSON.stringify(args)} is wrong usage`, () => {
    const { status, stderr } = run(...args);
    assert.deepEqual([status, stderr], [2, "Usage: npm run captures -- <folder>\n"]);
  });
}

test("--help says what it does", () => {
  const { status, stdout } = run("--help");
  assert.equal(status, 0);
  assert.match(stdout, /^Usage: npm run captures -- <folder>\n\nCopies the captures /);
});

test("a file in the folder's place is one sentence, without a stack", () => {
  const { status, stdout, stderr } = run(SCRIPT);
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /^captures: cannot write to .*: EEXIST: file already exists.*\n$/);
});

test("nothing is written outside the folder", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "captures-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const page = { texts: [["../outside", "{}"]], next: null };
  const copying = copyCaptures(async () => Response.json(page), join(folder, "captures"));
  await assert.rejects(copying, { message: 'The key "../outside" leads out of the folder' });
  assert.ok(!existsSync(join(folder, "outside")));
});
