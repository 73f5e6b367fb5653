// A line `<!-- made: NAME -->` of a page stands for a table that is made from code (../tables).
import { make } from "../tables/index.mjs";
import { ROOT } from "./pages.mjs";

const MARK = /^<!-- made: (\S+) -->$/gm;

/** The page's text with its tables. */
export async function filled({ text }, pkg) {
  const made = new Map();
  for (const [, name] of text.matchAll(MARK)) made.set(name, (await make(name, { root: ROOT, pkg })).trim());
  return text.replace(MARK, (_, name) => made.get(name));
}
