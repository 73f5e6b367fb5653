// Adds to a package's folder what is generated: the manifest's fields about the project, the error codes, the module as text
// and its hash, the entries of `order-cost/calculate`, the CommonJS files and their types.
//   node xtask/package.mjs <package folder> <fields as JSON> <what xtask-reference printed>
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { applyEdits, modify } from "jsonc-parser";
import { codeList, codeType } from "./error-codes.mjs";
import { textOf } from "./module-text.mjs";

const [folder, fields, reference] = process.argv.slice(2);
const inFolder = (file) => join(folder, file);
const manifest = readFileSync(inFolder("package.json"), "utf8");
writeFileSync(inFolder("package.json"), Object.entries(JSON.parse(fields)).reduce(withField, manifest));
const { version } = JSON.parse(manifest);
/** The two modules: what each has to be, and its file. */
const whole = { version, file: "wasm/order_cost_bg.wasm" };
const calculate = { version: `${version} (order-cost/calculate)`, file: "wasm/calculate.wasm" };

const { codes } = JSON.parse(readFileSync(reference, "utf8"));
writeFileSync(inFolder("error-codes.d.ts"), codeType(codes));
writeFileSync(inFolder("error-codes.js"), constants({ ERROR_CODES: codeList(codes) }));

writeFileSync(inFolder("wasm/version.js"), constants({ whole, calculate }));
const wasm = complete(whole);
writeModule("", wasm);
writeModule("calculate-", complete(calculate));

// For receipts, which name the module that priced an order: workerd does not show a module's bytes.
const sha256 = createHash("sha256").update(wasm).digest("hex");
writeFileSync(inFolder("wasm/sha256.js"), `export default "${sha256}";\n`);

// In bundles of their own, so that a page which imports both entries has an instance of each module. What they throw stays
// the same class.
await bundle(["calculate", "calculate-node", "calculate-edge", "calculate-workerd"], {
  format: "esm",
  allowOverwrite: true,
  // So that esbuild can drop the bindings of the basket.
  define: { "Symbol.dispose": "undefined" },
  pure: ["FinalizationRegistry"],
  plugins: [external(/^\.\/error\.js$|\.wasm(?:\?module)?$|\/calculate-(?:text|base64)\.js$/)],
});
// Node finds, reads and links each file by itself, which takes 0.5 ms a file. What has a state or a class of its own stays
// one file for all who import it.
const shared = external(/^\.\/(?:error|host|instance)\.js$|\/(?:order_cost|base64)\.js$/);
await bundle(["node"], { format: "esm", allowOverwrite: true, plugins: [shared] });
const sharedText = external(/\/(?:calculate-)?base64\.js$/, (path) => path.replace(/\.js$/, ".cjs"));
await bundle(["worker", "http", "data", "catalogue", "compare", "receipt", "messages", "react", "vue"], { plugins: [sharedText] });
// Jest's jsdom environment has no TextEncoder.
const inject = [fileURLToPath(new URL("stand-ins.js", import.meta.url))];
await bundle(["error"], {});
const sharedError = external(/^\.\/error\.js$/, () => "./error.cjs");
await bundle(["node", "calculate-node"], { plugins: [sharedText, sharedError], inject });
await bundle(["testing"], { plugins: [sharedText], inject });

// The same types again: a CommonJS import resolves to .d.cts files.
const types = readdirSync(folder).filter((file) => file.endsWith(".d.ts"));
for (const file of types) copyFileSync(inFolder(file), inFolder(file.replace(".d.ts", ".d.cts")));

/** Sets a field behind the licence, and keeps the rest of the text. */
function withField(text, [name, value]) {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  const getInsertionIndex = (names) => names.indexOf("license") + 1;
  return applyEdits(text, modify(text, [name], value, { formattingOptions, getInsertionIndex }));
}

/** The bytes of a module, with its version in a section of its own: name and text, the name after its length. */
function complete({ version, file }) {
  const name = "order-cost";
  const section = [name.length, ...Buffer.from(name), ...Buffer.from(version)];
  const bytes = Buffer.concat([readFileSync(inFolder(file)), Buffer.from([0, section.length, ...section])]);
  writeFileSync(inFolder(file), bytes);
  return bytes;
}

/** Writes a module as text: for pages, and for Node in both formats. */
function writeModule(prefix, bytes) {
  writeFileSync(inFolder(`wasm/${prefix}text.js`), constants({ text: textOf(bytes) }));
  const base64 = bytes.toString("base64");
  writeFileSync(inFolder(`wasm/${prefix}base64.js`), constants({ base64 }));
  writeFileSync(inFolder(`wasm/${prefix}base64.cjs`), `exports.base64 = "${base64}";\n`);
}

function constants(values) {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join("");
}

/** Leaves these files of the package as they are, under another name if `rename` gives one. */
function external(filter, rename = (path) => path) {
  return { name: "external", setup: ({ onResolve }) => onResolve({ filter }, ({ path }) => ({ path: rename(path), external: true })) };
}

function bundle(names, options) {
  return build({
    entryPoints: names.map((name) => inFolder(`${name}.js`)),
    outdir: folder,
    outExtension: { ".js": options.format === "esm" ? ".js" : ".cjs" },
    bundle: true,
    format: "cjs",
    target: "es2022",
    platform: "node",
    charset: "utf8",
    packages: "external", // the frameworks, which the application has, and the package itself
    logLevel: "warning",
    ...options,
  });
}
