// Measures what an application loads for each entry of the package: its bundled JavaScript, and the .wasm.
//   node xtask/sizes.mjs <package folder>
import { readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const UNITS = ["raw", "gzip", "brotli"];

/** `{ name, raw, gzip, brotli }` for each entry that is code, in bytes. */
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

/** The sizes as a table in Markdown, for the site. */
export function sizeTable(sizes) {
  const cells = sizes.map((size) => [`\`${size.name}\``, ...UNITS.map((unit) => kilobytes(size[unit]))]);
  const rows = [["entry", ...UNITS], ["---", "---:", "---:", "---:"], ...cells];
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Three significant digits: exact within 0.5 %. */
const kilobytes = (bytes) => `${Number((bytes / 1000).toPrecision(3))} kB`;

async function loadedFiles(entry) {
  // The frameworks, which the application has, and the package itself are external.
  const [{ contents, text }] = await bundled({ entryPoints: [entry], packages: "external" });
  return [contents, ...wasmBeside(text).map((path) => readFileSync(resolve(entry, "..", path)))];
}

/** esbuild's files for a script, bundled and minified as an application's. */
export async function bundled(options) {
  const shared = { bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8", write: false };
  const { outputFiles } = await build({ ...shared, ...options });
  return outputFiles;
}

/** The .wasm files that a minified script has beside itself. */
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
