// Adds to a package's folder what other tools need of it: the module as text, CommonJS, and the types of that.
//   node xtask/package.mjs <package folder>
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = process.argv[2];
const inFolder = (file) => join(folder, file);

const base64 = readFileSync(inFolder("wasm/order_cost_bg.wasm")).toString("base64");
writeFileSync(inFolder("wasm/base64.js"), `export default "${base64}";\n`);
writeFileSync(inFolder("wasm/base64.cjs"), `module.exports = "${base64}";\n`);

/** One text of the module for all of CommonJS. */
const sharedText = {
  name: "shared text",
  setup: ({ onResolve }) => onResolve({ filter: /\/base64\.js$/ }, () => ({ path: "./wasm/base64.cjs", external: true })),
};

await bundle(["node", "worker", "testing", "compare"]);
// Jest's page has no TextEncoder.
await bundle(["inline"], [fileURLToPath(new URL("stand-ins.js", import.meta.url))]);

// The same types, by which `import type` finds those of its own kind.
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
    plugins: [sharedText],
    inject,
    logLevel: "warning",
  });
}
