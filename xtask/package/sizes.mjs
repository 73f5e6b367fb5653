// Measures what an application loads for each entry of the package: its bundled JavaScript, and the .wasm.
//   node xtask/package/sizes.mjs <package folder>
import { readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

/** @type {("raw" | "gzip" | "brotli")[]} */
const UNITS = ["raw", "gzip", "brotli"];

/**
 * @typedef {{ name: string, raw: number, gzip: number, brotli: number }} Size in bytes
 *
 * The size of each entry that is code.
 * @param {string} folder
 * @returns {Promise<Size[]>}
 */
export async function entrySizes(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.keys(exports).filter((entry) => exports[entry].default?.default);
  return Promise.all(
    entries.map(async (entry) => {
      const files = await loadedFiles(join(folder, exports[entry].default.default));
      const [raw, gzip, brotli] = [(file) => file, (file) => gzipSync(file, { level: 9 }), brotliCompressSync].map((compress) =>
        files.reduce((sum, file) => sum + compress(file).length, 0),
      );
      return { name: posix.join(name, entry), raw, gzip, brotli };
    }),
  );
}

/**
 * The sizes as a table in Markdown, for the site.
 * @param {Size[]} sizes
 */
export function sizeTable(sizes) {
  const cells = sizes.map((size) => [`\`${size.name}\``, ...UNITS.map((unit) => kilobytes(size[unit]))]);
  const rows = [["entry", ...UNITS], ["---", "---:", "---:", "---:"], ...cells];
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/**
 * Three significant digits: exact within 0.5 %.
 * @param {number} bytes
 */
const kilobytes = (bytes) => `${Number((bytes / 1000).toPrecision(3))} kB`;

/** @param {string} entry */
async function loadedFiles(entry) {
  // The frameworks, which the application has, and the package itself are external.
  const [{ contents, text }] = await bundled({ entryPoints: [entry], packages: "external" });
  return [contents, ...wasmBeside(text).map((path) => readFileSync(resolve(entry, "..", path)))];
}

/**
 * esbuild's files for a script, bundled and minified as an application's.
 * @param {import("esbuild").BuildOptions} options
 */
export async function bundled(options) {
  /** @type {import("esbuild").BuildOptions} */
  const shared = { bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8" };
  const { outputFiles } = await build({ ...shared, ...options, write: false });
  return outputFiles;
}

/**
 * The .wasm files that a minified script has beside itself.
 * @param {string} text
 */
export function wasmBeside(text) {
  return Array.from(text.matchAll(/new URL\("([^"]+\.wasm)",import\.meta\.url\)/g), ([, path]) => path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = await entrySizes(resolve(process.argv[2]));
  console.log("\nwhat an application loads  ", ...UNITS.map((unit) => unit.padStart(11)));
  for (const size of sizes) {
    console.log(size.name.padEnd(27), ...UNITS.map((unit) => kilobytes(size[unit]).padStart(11)));
  }
  console.log();
}
