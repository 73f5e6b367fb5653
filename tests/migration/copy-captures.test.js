// The command `npm run captures`: what it copies is in walk.test.js.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { LOCAL_STATE } from "../../worker/data/store/store.js";
import { main } from "../../worker/migration/captures-program.js";
import { copyCaptures } from "../../worker/migration/local-captures.js";
import { run } from "../data/run.js";
import { temporaryFolder } from "../folder.js";

const SCRIPT = fileURLToPath(new URL("../../worker/migration/copy-captures.js", import.meta.url));

for (const args of [[], ["--folder"], ["a", "b"]]) {
  test(`${JSON.stringify(args)} is wrong usage`, async () => {
    assert.deepEqual(await run(main, args), { code: 2, out: "", err: "Usage: npm run captures -- <folder>\n" });
  });
}

test("--help says what it does", async () => {
  const { code, out } = await run(main, ["--help"]);
  assert.equal(code, 0);
  assert.match(out, /^Usage: npm run captures -- <folder>\n\nCopies the captures /);
});

test("a file in the folder's place is one sentence, without a stack, and fails the process", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, SCRIPT], { encoding: "utf8" });
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /^captures: cannot write to .*: EEXIST: file already exists.*\n$/);
});

test("a folder in the store that it reads is refused", async () => {
  const folder = join(LOCAL_STATE, "v3/captures");
  const err = `captures: folder ${folder}: expected a place outside ${LOCAL_STATE}, which the command reads\n`;
  assert.deepEqual(await run(main, [folder]), { code: 1, out: "", err });
});

test("nothing is written outside the folder", async (context) => {
  const folder = temporaryFolder(context);
  const page = { texts: [["../outside", "{}"]], next: null };
  const copying = copyCaptures(async () => Response.json(page), join(folder, "captures"));
  await assert.rejects(copying, { message: 'The key "../outside" leads out of the folder' });
  assert.ok(!existsSync(join(folder, "outside")));
});
