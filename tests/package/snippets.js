// The blocks of code of a README, and what their comments promise.
import { readFileSync } from "node:fs";

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;
const LOG = /\bconsole\.log\(.*\)[;)\s]*?(?:\/\/ (?<said>.*))?$/;
const COMMENT = /^\s*\/\/ (?<said>.*)$/;

/** The blocks of a README, each with its language, the heading it stands under and the line on which it begins. */
export function blocksOf(file) {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(BLOCK)].map(({ 1: language, 2: code, index }) => {
    const before = text.slice(0, index);
    const [, heading] = [...before.matchAll(/^#+ (.+)$/gm)].at(-1);
    return { language, code, heading, line: before.split("\n").length + 1 };
  });
}

/** What each `console.log` is to print, by its line: the comment behind it, or those on the lines after it. */
export function promisesOf(code) {
  const lines = code.split("\n");
  const promises = new Map();
  lines.forEach((line, index) => {
    const match = COMMENT.test(line) ? null : line.match(LOG);
    if (match) promises.set(index + 1, match.groups.said === undefined ? commentsAt(lines, index + 1) : [match.groups.said]);
  });
  return promises;
}

function commentsAt(lines, index) {
  const end = lines.findIndex((line, at) => at >= index && !COMMENT.test(line));
  return lines.slice(index, end).map((line) => line.match(COMMENT).groups.said);
}
