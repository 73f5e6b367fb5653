// The documents stay short: each fact stands once. The count is that of `wc -w`, with Thai cut into words.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.resolve(import.meta.dirname, "../..");
const MOST = 30_000;

const SEGMENTER = new Intl.Segmenter("th", { granularity: "word" });
const thai = (word) => (/[\u0e00-\u0e7f]/.test(word) ? [...SEGMENTER.segment(word)].filter(({ isWordLike }) => isWordLike).length : 1);
const words = (text) =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .reduce((sum, word) => sum + thai(word), 0);

test(`all documents together have at most ${MOST} words`, (t) => {
  const files = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
  const counts = files.map((file) => [file, words(readFileSync(path.join(ROOT, file), "utf8"))]);
  const sum = counts.reduce((sum, [, count]) => sum + count, 0);
  for (const [file, count] of counts.toSorted(([, one], [, other]) => other - one)) t.diagnostic(`${count} ${file}`);
  t.diagnostic(`${sum} in all`);
  assert.ok(sum <= MOST, `${sum} words`);
});
