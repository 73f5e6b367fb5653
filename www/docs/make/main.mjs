// Writes the source of the site, from which VitePress builds it: `node www/docs/make/main.mjs <pkg> <folder>`.
// A page is written here, or is a document of the repository, or is made from the package's types and the service's contract.
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { filled } from "./filled.mjs";
import { httpPages } from "./http.mjs";
import { withLinks } from "./links.mjs";
import { forMachines } from "./machines.mjs";
import { packagePages } from "./package.mjs";
import { ROOT, writtenPages } from "./pages.mjs";

const [pkg, folder] = process.argv.slice(2).map((argument) => path.resolve(argument));

const pages = [...writtenPages(), ...(await packagePages()), ...httpPages()];
const complete = await Promise.all(pages.map(async (page) => ({ ...page, ...withLinks(page, await filled(page, pkg), pages) })));

rmSync(folder, { recursive: true, force: true });
const files = [...complete.map(({ place, text }) => [place, text]), ...forMachines(complete)];
for (const [place, text] of files) {
  const file = path.join(folder, place);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const copies = [
  ["www/icons/icon.svg", "icon.svg"],
  ["www/sw.js", "sw.js"],
  ...complete.flatMap(({ pictures }) => pictures.map((picture) => [picture, `pictures/${picture}`])),
];
for (const [from, to] of copies) cpSync(path.join(ROOT, from), path.join(folder, "public", to));

// Pages become modules, which find Vue above them. In a copied checkout the link leads to the original.
const packages = path.join(path.dirname(folder), "node_modules");
rmSync(packages, { force: true });
symlinkSync(path.join(ROOT, "www/docs/node_modules"), packages, "junction");
