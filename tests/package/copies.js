// Fresh copies of the package, whose modules Node.js has not loaded yet.
import { cpSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../folder.js";

export const PACKAGE = fileURLToPath(new URL("../../pkg", import.meta.url));

const folder = temporaryFolder();
const first = join(folder, "0");
cpSync(PACKAGE, first, { recursive: true, filter: (file) => !/\b(examples|command\.js|.*\.d\.c?ts)$/.test(file) });
const files = readdirSync(first, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
let copies = 0;

/** The folder of a copy. Its files are links to those of the others: a test that changes one removes it before. */
export function copyPackage() {
  const copy = join(folder, `${(copies += 1)}`);
  for (const { parentPath, name } of files) {
    const to = join(copy, parentPath.slice(first.length), name);
    mkdirSync(dirname(to), { recursive: true });
    linkSync(join(parentPath, name), to);
  }
  return copy;
}
