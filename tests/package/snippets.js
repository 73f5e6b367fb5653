// The code blocks of a page, and the output that their comments promise.
import { readFileSync } from "node:fs";

const BLOCK = /^( *)```(\w+)\n([\s\S]*?)^\1```$/gm;
const LOG = /\bconsole\.log\(.*\)[;)\s]*?(?:\/\/ (?<said>.*))?$/;
const COMMENT = /^\s*\/\/ (?<said>.*)$/;

/** The blocks of a page. */
export const blocksOf = (file) => blocksIn(readFileSync(file, "utf8"));

/** The blocks of a text, each with its language, its heading and its first line. */
export function blocksIn(text) {
  return [...text.matchAll(BLOCK)].map(({ 1: indent, 2: language, 3: code, index }) => {
    const before = text.slice(0, index);
    const [, heading] = [...before.matchAll(/^#+ (.+)$/gm)].at(-1);
    return { language, code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""), heading, line: before.split("\n").length + 1 };
  });
}

/** What commands print: the blocks without a language under a heading. */
export function outputsOf(file, heading) {
  const [, section = ""] = readFileSync(file, "utf8").split(new RegExp(`^#+ ${heading}$`, "m"));
  return [...section.split(/^#+ /m)[0].matchAll(/\n\n```\n([\s\S]*?)^```$/gm)].map(([, output]) => output);
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
