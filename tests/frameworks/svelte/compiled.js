// Compiles a component as a build tool would: for a page, or for a server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { components } from "../components.js";

const HERE = import.meta.dirname;
const directory = mkdtempSync(path.join(tmpdir(), "order-cost-svelte-"));
process.once("exit", () => rmSync(directory, { recursive: true }));

/** The exports of `source`, a module beside this one that imports components. */
export async function compiled(source, generate) {
  const outfile = path.join(directory, `${generate}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: HERE },
    nodePaths: [path.join(HERE, "../../node_modules")], // for the example, which lies elsewhere
    bundle: true,
    format: "esm",
    conditions: ["development", ...(generate === "client" ? ["browser"] : [])], // with all its warnings
    platform: generate === "client" ? "browser" : "node",
    plugins: [components(generate)],
    outfile,
  });
  return import(pathToFileURL(outfile));
}
