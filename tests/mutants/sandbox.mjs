// A copy of the checkout in which the package's JavaScript has every mutant, each behind a switch.
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Instrumenter } from "@stryker-mutator/instrumenter";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const WORK = join(ROOT, "target/xtask/mutants");
export const SANDBOX = join(WORK, "sandbox");
export const SOURCES = "pkg-template";

/** Copied, because they find the package next to themselves. Everything else is a link. */
const COPIES = ["pkg", "tests", "worker", "target/faulty-pkg"];

/** What is copied into bundles, where no mutant can be switched on: the command line, and the entries of `order-cost/calculate`. */
const BUNDLED = /^(?:cli|examples)\/|^entries\/calculate(?:-edge|-node|-workerd)?\.js$/;
/** The door of Node is a bundle, too. Here it is a door, so that the tests load the files with the mutants. */
const DOOR = ["node.js", 'export * from "./entries/node.js";\n'];

/** The mutants of every source, and the sources' texts by file. */
export async function makeSandbox() {
  const names = readdirSync(join(ROOT, SOURCES), { recursive: true }).filter((name) => name.endsWith(".js") && !BUNDLED.test(name));
  const texts = new Map(names.map((name) => [name, readFileSync(join(ROOT, SOURCES, name), "utf8")]));
  for (const name of names) {
    if (readFileSync(join(ROOT, "pkg", name), "utf8") !== texts.get(name))
      throw new Error(`pkg/${name} is not ${SOURCES}/${name}: run \`cargo xtask build\``);
  }
  const { files, mutants } = await instrumented(texts);
  rmSync(SANDBOX, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  mirror(ROOT, SANDBOX, "");
  for (const copy of ["pkg", "target/faulty-pkg"]) {
    for (const { name, content } of files) writeFileSync(join(SANDBOX, copy, name), content);
    const [name, content] = DOOR;
    writeFileSync(join(SANDBOX, copy, name), content);
  }
  return { texts, mutants };
}

function instrumented(texts) {
  const logger = { debug() {}, info() {}, warn: console.warn, isDebugEnabled: () => false };
  const files = [...texts].map(([name, content]) => ({ name, content, mutate: true }));
  return new Instrumenter(logger).instrument(files, { plugins: null, excludedMutations: [], ignorers: [] });
}

/** Copies what is to be copied, and links the rest. */
function mirror(from, to, path) {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const inner = join(path, name);
    const [source, target] = [join(from, name), join(to, name)];
    if (name === ".git" || source === WORK) continue;
    if (COPIES.includes(inner)) copy(source, target);
    else if (COPIES.some((copied) => copied.startsWith(`${inner}/`))) mirror(source, target, inner);
    else symlinkSync(source, target);
  }
}

function copy(from, to) {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (name === "node_modules") linkModules(source, target);
    else if (lstatSync(source).isDirectory()) copy(source, target);
    else cpSync(source, target, { verbatimSymlinks: true });
  }
}

/** A link to the package stays relative, so that it finds the copy. */
function linkModules(from, to) {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const source = join(from, name);
    const isPackage = lstatSync(source).isSymbolicLink() && resolve(from, readlinkSync(source)) === join(ROOT, "pkg");
    symlinkSync(isPackage ? readlinkSync(source) : source, join(to, name));
  }
}
