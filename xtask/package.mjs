// Adds generated files to a package's folder: the module as text and its hash, the CommonJS files and their types.
//   node xtask/package.mjs <package folder>
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = process.argv[2];
const inFolder = (file) => join(folder, file);

// Hexadecimal doubles the module's size, but equal bytes always give equal text. Compressed, as a page loads it, it is
// a fifth smaller than base64.
const wasm = readFileSync(inFolder("wasm/order_cost_bg.wasm"));
const hex = wasm.toString("hex");
writeFileSync(inFolder("wasm/hex.js"), `export default "${hex}";\n`);
writeFileSync(inFolder("wasm/hex.cjs"), `module.exports = "${hex}";\n`);

// For whoever states which module has priced an order: workerd does not show a module's bytes.
const sha256 = createHash("sha256").update(wasm).digest("hex");
writeFileSync(inFolder("wasm/sha256.js"), `export default "${sha256}";\n`);

/** Lets all CommonJS files share one text of the module. */
const sharedText = {
  name: "shared text",
  setup: ({ onResolve }) => onResolve({ filter: /\/hex\.js$/ }, () => ({ path: "./wasm/hex.cjs", external: true })),
};

await bundle(["node", "worker", "http", "data", "catalogue", "compare", "receipt", "messages", "react", "vue"]);
// Jest's jsdom environment has no TextEncoder.
await bundle(["inline", "testing"], [fileURLToPath(new URL("stand-ins.js", import.meta.url))]);

// The same types again: a CommonJS import resolves to .d.cts files.
const types = readdirSync(folder).filter((file) => file.endsWith(".d.ts"));
for (const file of types) copyFileSync(inFolder(file), inFolder(file.replace(".d.ts", ".d.cts")));

function bundle(names, inject = []) {
  return build({
    entryPoints: names.map((name) => inFolder(`${name}.js`)),
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    target: "es2022",
    platform: "node",
    charset: "utf8",
    packages: "external", // the frameworks, which the application has, and the package itself
    plugins: [sharedText],
    inject,
    logLevel: "warning",
  });
}
