// The code blocks of a README, and the output that their comments promise.
import { readFileSync } from "node:fs";

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;
const LOG = /\bconsole\.log\(.*\)[;)\s]*?(?:\/\/ (?<said>.*))?$/;
const COMMENT = /^\s*\/\/ (?<said>.*)$/;

/** The blocks of a README, each with its language, its heading and its first line. */
export function blocksOf(file) {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(BLOCK)].map(({ 1: language, 2: code, index }) => {
    const before = text.slice(0, index);
    const [, heading] = [...before.matchAll(/^#+ (.+)$/gm)].at(-1);
    return { language, code, heading, line: before.split("\n").length + 1 };
  });
}

/** The promised output of each `console.log`, by line: the comment behind it, or the comment lines below it. */
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
