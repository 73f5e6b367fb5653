// Takes out of a module what `order-cost/calculate` never calls: the baskets, what a store asks for baskets, and the checks.
//   node xtask/package/without-baskets.mjs <module> <smaller module>
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [input, output] = process.argv.slice(2);
const LEFT_OUT = [
  /^(?:__wbg_)?baskethandle_/,
  /^factshandle_(?:answer|answerZones|fail|forgetCalls|late|missing|useless)$/,
  /^check(?:Price|Zones)$/,
];

// Code that these exports do not reach is left out, too.
const exports = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(input))).map(({ name }) => name);
const kept = exports.filter((name) => !LEFT_OUT.some((part) => part.test(name)));
const graph = `${output}.exports.json`;
writeFileSync(graph, JSON.stringify(kept.map((name) => ({ name, export: name, root: true }))));
const tool = fileURLToPath(new URL("../node_modules/binaryen/bin/wasm-metadce", import.meta.url));
// With the functions' names, which `cargo xtask trace` shows.
execFileSync(process.execPath, [tool, input, "-f", graph, "-o", output, "-g"], { stdio: ["ignore", "ignore", "inherit"] });
rmSync(graph);
