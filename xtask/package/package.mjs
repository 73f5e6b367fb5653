// Adds to a package's folder what is generated: the manifest's fields about the project, the error codes, the schemas of an
// order, the module as text and its hash, and at the root, which `exports` names, the package's doors: scripts, CommonJS files and types.
//   node xtask/package/package.mjs <package folder> <fields as JSON> <what xtask-reference printed>
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { applyEdits, modify } from "jsonc-parser";
import { textOf } from "./module-text.mjs";
import { orderFields } from "./order-fields.mjs";
import { orderSchemas } from "./order-schemas.mjs";
import { rowObjects } from "./row-objects.mjs";

const [given, fields, printed] = process.argv.slice(2);
const folder = resolve(given);
const inFolder = (file) => join(folder, file);
const manifest = readFileSync(inFolder("package.json"), "utf8");
writeFileSync(inFolder("package.json"), Object.entries(JSON.parse(fields)).reduce(withField, manifest));
const { version } = JSON.parse(manifest);
/** The two modules: what each has to be, and its file. */
const whole = { version, file: "wasm/order_cost_bg.wasm" };
const calculate = { version: `${version} (order-cost/calculate)`, file: "wasm/calculate.wasm" };

const reference = JSON.parse(readFileSync(printed, "utf8"));
writeFileSync(inFolder("wasm/row-objects.js"), rowObjects(reference.objects));
writeFileSync(inFolder("order-fields.js"), constants(orderFields(reference)));
writeFileSync(inFolder("order-schemas.json"), JSON.stringify(orderSchemas(reference)));

writeFileSync(inFolder("wasm/version.js"), constants({ whole, calculate }));
const wasm = complete(whole);
writeModule("", wasm);
writeModule("calculate-", complete(calculate));

// For receipts, which name the module that priced an order: workerd does not show a module's bytes.
const sha256 = createHash("sha256").update(wasm).digest("hex");
writeFileSync(inFolder("wasm/sha256.js"), `export default "${sha256}";\n`);

/** The doors that are one line, and the file behind each. */
const DOORS = {
  inline: "entries/inline",
  edge: "entries/edge",
  workerd: "entries/workerd",
  data: "entries/data",
  internal: "entries/internal",
  worker: "http/worker",
  http: "http/node-listener",
  catalogue: "catalogue/catalogue",
  compare: "response/compare",
  receipt: "response/receipt",
  messages: "response/messages",
  testing: "pricer/testing",
  keep: "basket/keep",
  react: "basket/react",
  vue: "basket/vue",
};
for (const [name, file] of Object.entries(DOORS)) await writeDoor(name, `${file}.js`);
writeFileSync(inFolder("cli.js"), '#!/usr/bin/env node\nimport "./entries/cli.js";\n');

/** What has a state or a class of its own stays one file for all who import it. */
const ONCE = ["core/error.js", "core/host.js", "core/instance.js", "wasm/order_cost.js"];
const TEXTS = ["wasm/base64.js", "wasm/calculate-base64.js", "wasm/calculate-text.js"];
const MODULES = ["wasm/calculate.wasm"];

// Made for the root, because bundlers resolve the words `new URL("./wasm/…")` from there.
await bundle({ url: "entries/url" }, { format: "esm", plugins: [external((file) => file !== "entries/url.js")] });
// With what it shares with the command line, whose sources the package does not have.
const isOfCommand = (file) => file.startsWith("cli/") || file === "entries/internal-node.js";
await bundle(entries(["internal-node"]), { format: "esm", plugins: [external((file) => !isOfCommand(file))] });
// In bundles of their own, so that a page which imports both entries has an instance of each module. What they throw stays
// the same class.
const CALCULATE = ["calculate", "calculate-node", "calculate-edge", "calculate-workerd"];
await bundle(entries(CALCULATE), {
  format: "esm",
  // So that esbuild can drop the bindings of the basket.
  define: { "Symbol.dispose": "undefined" },
  pure: ["FinalizationRegistry"],
  plugins: [external(among("core/error.js", ...TEXTS, ...MODULES))],
});
// Node finds, reads and links each file by itself, which takes 0.5 ms a file.
await bundle(entries(["node"]), { format: "esm", plugins: [external(among(...ONCE, ...TEXTS))] });

const sharedText = external(among(...TEXTS), asCommonJs);
const shared = ["worker", "http", "data", "catalogue", "compare", "receipt", "messages", "keep", "react", "vue"];
await bundle(Object.fromEntries(shared.map((name) => [name, DOORS[name]])), { plugins: [sharedText] });
// Jest's jsdom environment has no TextEncoder.
const inject = [fileURLToPath(new URL("stand-ins.js", import.meta.url))];
await bundle({ "core/error": "core/error" }, {});
await bundle(entries(["node", "calculate-node"]), { plugins: [external(among("core/error.js", ...TEXTS), asCommonJs)], inject });
await bundle({ testing: DOORS.testing }, { plugins: [sharedText], inject });

// Types stand beside their sources. A CommonJS import resolves to the same types as .d.cts files.
for (const room of new Set(Object.values(DOORS).map((file) => dirname(file)))) {
  for (const file of typesIn(room)) renameSync(inFolder(join(room, file)), inFolder(file));
}
for (const file of typesIn(".")) copyFileSync(inFolder(file), inFolder(file.replace(".d.ts", ".d.cts")));

function typesIn(room) {
  return readdirSync(inFolder(room)).filter((file) => file.endsWith(".d.ts"));
}

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

/** The names stand in the door, because React finds a client's module by its first line, and not behind an asterisk. */
async function writeDoor(name, file) {
  const { metafile } = await build({ entryPoints: [inFolder(file)], outdir: folder, format: "esm", write: false, metafile: true });
  const [{ exports }] = Object.values(metafile.outputs);
  const directive = readFileSync(inFolder(file), "utf8").startsWith('"use client";\n') ? '"use client";\n' : "";
  writeFileSync(inFolder(`${name}.js`), `${directive}export { ${exports.join(", ")} } from "./${file}";\n`);
}

function entries(names) {
  return Object.fromEntries(names.map((name) => [name, `entries/${name}`]));
}

function among(...files) {
  return (file) => files.includes(file);
}

function asCommonJs(file) {
  return file.replace(/\.js$/, ".cjs");
}

/** Leaves the files of the package that `isExternal` tells as they are, under another name if `rename` gives one. */
function external(isExternal, rename = (file) => file) {
  const onResolve = ({ path, resolveDir, kind }) => {
    if (kind === "entry-point" || !path.startsWith(".")) return undefined;
    const [file, query = ""] = relative(folder, resolve(resolveDir, path)).split(/(?=\?)/);
    return isExternal(file) ? { path: `./${rename(file)}${query}`, external: true } : undefined;
  };
  return { name: "external", setup: (build) => build.onResolve({ filter: /./ }, onResolve) };
}

/** Bundles files of the package, by the name that each gets. */
function bundle(files, options) {
  return build({
    entryPoints: Object.fromEntries(Object.entries(files).map(([name, file]) => [name, inFolder(`${file}.js`)])),
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
