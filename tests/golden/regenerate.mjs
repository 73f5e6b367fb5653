/**
 * Writes `expect` of every case from the model. The rest of each file stays unchanged. With --check it writes nothing:
 * it prints what would change, and exits with 1 if anything would.
 */
import { writeFileSync } from "node:fs";
import { readJson } from "../model/json.js";
import { expectation, readCorpus } from "./corpus.mjs";
import { layout } from "./layout.mjs";

const check = process.argv.includes("--check");
const changed = readCorpus().filter((one) => withExpectation(one) !== one.text);
for (const one of changed) {
  console.log(`${check ? "would change" : "wrote"} ${one.file}`);
  if (!check) writeFileSync(one.url, withExpectation(one));
}
console.log(`${changed.length} files ${check ? "would change" : "changed"}`);
if (check && changed.length > 0) process.exitCode = 1;

/** The file's text with the member `expect` replaced, or appended. */
function withExpectation({ text, testCase }) {
  const expected = layout(expectation(testCase), 2);
  const member = readJson(text).members.find(({ name }) => name === "expect");
  if (!member) return `${text.trimEnd().slice(0, -1).trimEnd()},\n  "expect": ${expected}\n}\n`;
  const { start, raw } = member.value;
  return text.slice(0, start) + expected + text.slice(start + raw.length);
}
