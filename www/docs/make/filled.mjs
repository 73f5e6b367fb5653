// A line `<!-- made: NAME -->` of a page stands for a table that is made from code (../tables). A link before `<!--here-->`
// stands for the section or the code to which it leads, so that each stands once; the repository's host shows the link.
import { readFileSync } from "node:fs";
import path from "node:path";
import { make } from "../tables/index.mjs";
import { ROOT } from "./pages.mjs";
import { sectionsOf } from "./parts.mjs";

const MARK = /^<!-- made: (\S+) -->$/gm;
const HERE = /^\[.*\]\((\S+)\) <!--here-->$/gm;

/** The page's text with its tables, sections and code. */
export async function filled({ text, source }, pkg) {
  const made = new Map();
  for (const [, name] of text.matchAll(MARK)) made.set(name, (await make(name, { root: ROOT, pkg })).trim());
  return withTargets(
    text.replace(MARK, (_, name) => made.get(name)),
    source,
  );
}

const withTargets = (text, source) => text.replace(HERE, (_, url) => targetOf(url, source));

/** A section must be of a page in the same folder: its links stay as they are. */
function targetOf(url, source) {
  const [file, anchor] = url.split("#");
  const text = readFileSync(path.join(ROOT, path.dirname(source), file), "utf8");
  if (!anchor) return `\`\`\`${path.extname(file).slice(1)}\n${text}\`\`\``;
  const section = sectionsOf(text).find((section) => section.anchor === anchor);
  if (!section) throw new Error(`${source}: ${url} leads to no section`);
  return withTargets([`${"#".repeat(section.depth)} ${section.title}`, ...section.blocks].join("\n\n"), source);
}
