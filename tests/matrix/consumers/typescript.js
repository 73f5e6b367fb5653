import process from "node:process";
import { only } from "./ways.js";

const DOM = { libs: "es2022,dom", types: [] };
const NODE = { libs: "es2022", types: ["node"] };
const WORKERS = { libs: "es2022", types: ["@cloudflare/workers-types"] };
const NO_PLATFORM = { libs: "es2022", types: [] };

const TYPESCRIPT_5 = { package: "typescript-5", program: "typescript-5/bin/tsc" };
const TYPESCRIPT_7 = { package: "typescript", program: "tsc" };

export const typescript = {
  typescript: [
    checked("nodenext, import", "nodenext.json", "esm", DOM),
    checked("nodenext, import, no DOM", "nodenext.json", "esm", NODE),
    checked("nodenext, require", "nodenext.json", "cjs", DOM),
    checked("nodenext, require, no DOM", "nodenext.json", "cjs", NODE),
    checked("bundler", "bundler.json", "esm", DOM),
    checked("bundler, no DOM", "bundler.json", "esm", NODE),
    checked("bundler, Cloudflare's types", "bundler.json", "esm", WORKERS),
    checked("bundler, no platform at all", "bundler.json", "esm", NO_PLATFORM),
    checked("nodenext, release 5", "nodenext.json", "esm", DOM, TYPESCRIPT_5),
    checked("bundler, release 5", "bundler.json", "esm", DOM, TYPESCRIPT_5),
  ],
};

/** Checks the types of every entry with those libraries, and runs the compiler's output. */
function checked(name, project, folder, { libs, types }, compiler = TYPESCRIPT_7) {
  const options = ["--project", project, "--lib", libs, ...types.flatMap((type) => ["--types", type])];
  const price = async (workspace) => {
    await workspace.run(compiler.program, options);
    return workspace.run(process.execPath, ["print.mjs", `./${folder}/main.js`]);
  };
  return { name: `TypeScript, ${name}`, package: compiler.package, entries: only(price) };
}
