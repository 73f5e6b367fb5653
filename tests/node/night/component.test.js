// The crate as a WebAssembly component, from Python.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { blocksOf } from "../../package/snippets.js";

const { COMPONENT, PYTHON_WITH_PACKAGES } = process.env;
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

function python(args, input) {
  // As in the README, the component lies in the folder.
  const options = { cwd: dirname(COMPONENT), encoding: "utf8", input };
  const { status, stdout, stderr } = spawnSync(PYTHON_WITH_PACKAGES, args, options);
  assert.equal(status, 0, stderr);
  return stdout;
}

test("prices the golden corpus to the byte", () => {
  const said = python([path("../component.py"), COMPONENT, path("../../golden")]);
  const [, priced, unpriced] = said.match(/^(\d+) as expected, (\d+) not priced\s*$/);
  assert.ok(priced >= 300, said);
  assert.ok(unpriced >= 100, said);
});

test("the sample of the crate's README runs", () => {
  const { code } = blocksOf(path("../../../src/README.md")).find(({ language }) => language === "python");
  python(["-"], code);
});
