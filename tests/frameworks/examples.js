// The components of the package's examples, as a build tool would compile them.
import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";

export const exampleText = (file) => readFileSync(new URL(`../../pkg-template/examples/${file}`, import.meta.url), "utf8");

/** What a module exports. It imports with `require`: the framework of one folder. */
export function exportsOf(code, require) {
  const { code: compiled } = transformSync(code, { loader: "tsx", format: "cjs", jsx: "automatic" });
  const module = { exports: {} };
  new Function("require", "module", compiled)(require, module);
  return module.exports;
}
