// A line `<!-- made: NAME -->` of a page stands for a table that is made from code (../tables).
import { TABLES } from "../tables/index.mjs";
import { ROOT } from "./pages.mjs";

const MARK = /^<!-- made: (\S+) -->$/gm;

/** The page's text with its tables. A name without a table is an error. */
export async function filled({ source, text }, pkg) {
  const names = [...text.matchAll(MARK)].map(([, name]) => name);
  const made = new Map();
  for (const name of names) {
    if (!(name in TABLES)) throw new Error(`${source}: no table ${name} in www/docs/tables; there are ${Object.keys(TABLES).join(", ")}`);
    made.set(name, await TABLES[name]({ root: ROOT, pkg }));
  }
  return text.replace(MARK, (_, name) => made.get(name).trim());
}
