// The parts of a Markdown text that code reads: links, sections and spans of code.
import GithubSlugger from "github-slugger";
import { fromMarkdown } from "mdast-util-from-markdown";
import { visit } from "unist-util-visit";

/** @typedef {{ start: { offset: number, line: number }, end: { offset: number } }} Place of a node in its text: the parser gives each node one */

/** @param {import("mdast").Node} node */
const placeOf = ({ position }) => /** @type {Place} */ (position);

/**
 * The links and pictures of a text, each with its place.
 * @param {string} text
 */
export function linksOf(text) {
  /** @type {(Place & { type: string, url: string })[]} */
  const links = [];
  visit(fromMarkdown(text), (node) => {
    if ("url" in node) links.push({ type: node.type, url: node.url, ...placeOf(node) });
  });
  return links;
}

/**
 * The headings of a text, each with the anchor that the repository's host gives it and the blocks up to the next heading, as they
 * are written. An item of a list is a block.
 * @param {string} text
 */
export function sectionsOf(text) {
  const slugger = new GithubSlugger();
  /** @type {{ depth: number, title: string, anchor: string, line: number, blocks: string[] }[]} */
  const sections = [];
  for (const node of fromMarkdown(text).children) {
    if (node.type === "heading") {
      const title = wordsOf(node);
      sections.push({ depth: node.depth, title, anchor: slugger.slug(title), line: placeOf(node).start.line, blocks: [] });
    } else {
      const nodes = node.type === "list" ? node.children : [node];
      sections.at(-1)?.blocks.push(...nodes.map(placeOf).map(({ start, end }) => text.slice(start.offset, end.offset)));
    }
  }
  return sections;
}

/**
 * What stands between backticks.
 * @param {string} text
 */
export function codesOf(text) {
  /** @type {string[]} */
  const codes = [];
  visit(fromMarkdown(text), "inlineCode", ({ value }) => void codes.push(value));
  return codes;
}

function wordsOf(node) {
  return node.value ?? node.children?.map(wordsOf).join("") ?? "";
}
