// Prints what a browser downloads of the package: its entry, the modules that this imports, and the wasm.
//   node xtask/sizes.mjs <package folder>
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const folder = resolve(process.argv[2]);
const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The file that a browser gets of an entry of `exports`: the first condition that holds for it. */
function browserFile(entry) {
  if (typeof entry === "string") return entry;
  const condition = Object.keys(entry).find((name) => ["browser", "import", "default"].includes(name));
  return browserFile(entry[condition]);
}

/** The module and all that it names as a neighbour, each once. */
function loaded(file, files = new Set()) {
  if (files.has(file)) return files;
  files.add(file);
  if (!file.endsWith(".js")) return files;
  const neighbours = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)["'](\.{0,2}\/?[\w./-]+\.(?:js|wasm))["']/g;
  const source = readFileSync(file, "utf8").replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, "");
  for (const [, path] of source.matchAll(neighbours)) loaded(resolve(file, "..", path), files);
  return files;
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(11);
const row = (name, sizes) => console.log(name.padEnd(30), ...sizes.map(kilobytes));

const files = [...loaded(join(folder, browserFile(exports["."])))];
const sizes = files.map((file) => {
  const bytes = readFileSync(file);
  return [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
});

console.log(`\n${"what a browser loads".padEnd(30)} ${["raw", "gzip", "brotli"].map((name) => name.padStart(11)).join(" ")}`);
files.forEach((file, index) => row(relative(folder, file), sizes[index]));
row("total", [0, 1, 2].map((column) => sizes.reduce((sum, size) => sum + size[column], 0)));
console.log();
