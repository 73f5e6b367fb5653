// The command line and its libraries in one file, because the package has no dependencies.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const source = resolve(import.meta.dirname, "../../pkg-template/cli");
const packages = join(import.meta.dirname, "../node_modules");

/** The command line takes the module from `order-cost`; what it shares with the package needs none. */
const withoutModule = {
  name: "without-module",
  setup: ({ onResolve }) => onResolve({ filter: /\/wasm\/[\w-]+\.js$/ }, ({ path }) => ({ path, external: true, sideEffects: false })),
};

/** The build makes it beside the bundle. */
const besideBundle = {
  name: "beside-bundle",
  setup: ({ onResolve }) => onResolve({ filter: /\/order-fields\.js$/ }, () => ({ path: "./order-fields.js", external: true })),
};

/**
 * Returns the libraries in the bundle, by name.
 * @param {string} [outfile] without it nothing is written
 */
export async function bundleCli(outfile) {
  const { metafile } = await build({
    entryPoints: [join(source, "main.js")],
    outfile: outfile ?? "command.js",
    write: outfile !== undefined,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "esm",
    charset: "utf8",
    external: ["order-cost", "order-cost/*"],
    plugins: [withoutModule, besideBundle],
    nodePaths: [packages],
    mainFields: ["module", "main"], // Bundlers cannot follow the imports in jsonc-parser's main file.
    alias: { "string-width": join(source, "screen/terminal-width.cjs") },
    // Commander and cli-table3 are CommonJS and require Node's built-in modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const files = Object.keys(metafile.inputs);
  const bundled = new Set(files.flatMap((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []));
  return [...bundled].sort().map(library);
}

function library(name) {
  const directory = join(packages, name);
  const { version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} ${version} has no licence file`);
  return { name, version, license, licenceText: readFileSync(join(directory, file), "utf8").trim() };
}
