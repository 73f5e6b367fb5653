// The components of the package's examples, as a build tool would compile them.
import { readFileSync } from "node:fs";
import ts from "typescript-5";

const OPTIONS = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ESNext, jsx: ts.JsxEmit.ReactJSX };

export const exampleText = (file) => readFileSync(new URL(`../../pkg-template/examples/${file}`, import.meta.url), "utf8");

/** What a module exports. It imports with `require`: the framework of one folder. */
export function exportsOf(code, require) {
  const { outputText } = ts.transpileModule(code, { compilerOptions: OPTIONS });
  const exports = {};
  new Function("require", "exports", outputText)(require, exports);
  return exports;
}
